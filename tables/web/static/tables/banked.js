// A table of a game against the house: an arc of spots, the dealer's cards, the money.

import { html } from "../vendor/preact-htm.js";
import { Backs, Card } from "./cards.js";
import { handName, outcomeWords } from "./i18n.js";
import { chips } from "./money.js";
import { Both, Dial, Duo, Pips, Seat, countdown, listed, playerName, span_ms } from "./parts.js";
import { PLACED, Placard, Rules, Wager, meterOf, wagerName } from "./placard.js";
import { inOrder, lines, oddsOf, paidCount, payOrder, totals } from "./settlement.js";
import { sitter } from "./spots.js";

const CLOSING_S = 5;
const SHOUT_MS = 2000;
const FEW = 3; // wagers of a spot that have room for chips beside them
const staked = (spot) => Object.values(spot.wagers ?? {}).reduce((sum, minor) => sum + minor, 0);
const wagersOf = (spot) => inOrder(Object.keys(spot.wagers ?? {}), PLACED).filter((name) => spot.wagers[name] > 0);

/** Seats that have a decision to make: those with an ante. */
export function deciders(view) {
  return view.spots.filter((spot) => spot.wagers?.ante > 0);
}

/** The step of the round a screen is in. */
export function stage(hand, serverNow) {
  const { view, marks = {} } = hand;
  if (view.phase === "betting") return "betting";
  if (view.spots.some((spot) => spot.settled)) return "settlement";
  if (view.phase === "settled") return "empty";
  const dealt = view.dealer.down > 0 || view.dealer.cards?.length > 0;
  return dealt && span_ms(marks.closed_at, serverNow) > SHOUT_MS ? "decision" : "closed";
}

/** Which spot is up, which are done; `all` once every spot has had its time. */
export function progress(hand, serverNow, seats) {
  const order = payOrder(hand.view.spots, seats);
  const paid = paidCount(span_ms(hand.marks?.settled_at, serverNow), order.length);
  return { order, paid, now: order[paid] ?? null, next: order[paid + 1] ?? null, done: new Set(order.slice(0, paid)), all: paid === order.length };
}

function Pile({ minor, table }) {
  const pile = chips(minor, table.exponent ?? 0, 6);
  if (!pile.length) return null;
  return html`<p class="pile" aria-hidden="true">${pile.map((value) => html`<i class=${`chip v${value === 1000 ? "1k" : value}`}>${value === 1000 ? "1k" : value}</i>`)}</p>`;
}

function BettingSpot({ spot, seat, name, view, table, t, amount }) {
  const wagers = spot ? wagersOf(spot) : [];
  if (!wagers.length) {
    return html`<li class="spot free"><h2><${Seat} no=${seat} /><span class="name">${name || html`<${Duo} t=${t} word="open" />`}</span></h2>${name && view?.phase === "betting" && html`<p class="hand"><${Duo} t=${t} word="no_bet_yet" /></p>`}</li>`;
  }
  return html`<li class=${`spot ${wagers.length > FEW ? "many" : ""}`}>
    <h2><${Seat} no=${seat} /><span class="name">${name}</span></h2>
    ${wagers.map((wager) => html`<p key=${wager} class="bet"><span>${wagerName(wager, t)}</span><b>${amount(spot.wagers[wager])}</b></p>`)}
    <${Pile} minor=${staked(spot)} table=${table} />
  </li>`;
}

function SpotCards({ spot, t }) {
  const shown = Array.isArray(spot.cards) && spot.cards.length > 0;
  const count = shown ? 0 : spot.down ?? 0;
  if (!shown && !count) return html`<div class="cards">${[0, 1, 2].map(() => html`<i class="card slot"></i>`)}</div>`;
  return html`<div class="cards">${shown ? spot.cards.map((code) => html`<${Card} key=${code} code=${code} t=${t} />`) : html`<${Backs} count=${count} t=${t} />`}</div>`;
}

function DecisionSpot({ spot, seat, name, view, t, amount }) {
  if (!spot || !wagersOf(spot).length) return html`<li class="spot free"><h2><${Seat} no=${seat} /><span class="name">${name || html`<${Duo} t=${t} word="open" />`}</span></h2></li>`;
  const waits = view.waiting.includes(seat);
  const { decision } = spot;
  const ante = spot.wagers.ante ?? 0;
  const plays = amount(spot.play_minor ?? ante);
  const others = wagersOf(spot).map((wager) => `${wagerName(wager, t)} ${amount(spot.wagers[wager])}`);
  return html`<li class=${`spot deciding ${others.length > FEW ? "many" : ""} ${decision === "fold" ? "over" : ""} ${waits ? "waits" : ""}`}>
    <h2><${Seat} no=${seat} /><span class="name">${name}</span></h2>
    <${SpotCards} spot=${spot} t=${t} />
    ${others.map((words) => html`<p class="hand">${words}</p>`)}
    ${decision === "play" ? html`<p class="verb done mark"><span><${Duo} t=${t} word="plays" /></span><b class=${plays.length > 5 ? "lengthy" : ""}>${plays}</b></p>`
      : decision === "fold" ? html`<p class="verb"><span><${Both} t=${t} say=${(one) => [one("folds"), spot.late && html` <small>${one("time_out")}</small>`]} /></span></p>`
      : waits ? html`<p class="verb open"><span><${Duo} t=${t} word="decides" /></span></p>`
      : ante > 0 ? null : html`<p class="verb open"><span><${Duo} t=${t} word="no_decision" /></span></p>`}
  </li>`;
}

function Sum({ verdict, minor, t, amount }) {
  const figure = amount(minor);
  // Beside five digits the word stands above its arrow, beside six the figure has a line of its own.
  return html`<p class=${`mark ${verdict} ${figure.length > 6 ? "long longest" : figure.length > 5 ? "long" : figure.length > 4 ? "longish" : ""}`}><span><${Duo} t=${t} word=${verdict} /></span><b>${figure}</b></p>`;
}

function SettledSpot({ spot, seat, name, run, t, amount }) {
  if (!spot?.settled) return html`<li class="spot free"><h2><${Seat} no=${seat} /><span class="name">${name || html`<${Duo} t=${t} word="open" />`}</span></h2></li>`;
  const { pay_minor, take_minor } = totals(spot.settled);
  const now = seat === run.now;
  const done = run.done.has(seat);
  const folded = spot.decision === "fold";
  const tag = now ? "settle_now" : done ? "settled_done" : seat === run.next && "next";
  return html`<li class=${`spot ${now ? "now" : ""} ${done && !run.all ? "over" : ""}`} aria-current=${now ? "step" : null}>
    <h2><${Seat} no=${seat} /><span class=${done ? "mark done" : ""}>${tag ? html`<${Duo} t=${t} word=${tag} />` : name}</span></h2>
    <${SpotCards} spot=${spot} t=${t} />
    <p class="hand"><${Both} t=${t} say=${(one) => (folded ? one("folded") : handName(spot, one))} /></p>
    ${take_minor > 0 && html`<${Sum} verdict="take" minor=${take_minor} t=${t} amount=${amount} />`}
    ${pay_minor > 0 && html`<${Sum} verdict="pay" minor=${pay_minor} t=${t} amount=${amount} />`}
    ${!pay_minor && !take_minor && html`<p class="mark push"><span><${Duo} t=${t} word="push" /></span><b>–</b></p>`}
  </li>`;
}

function House({ view, t, children }) {
  const { dealer } = view;
  const shown = dealer.cards?.length > 0;
  return html`<section class="house" aria-label=${t("dealers_hand")}>
    <div class="hole">
      <div class="cards">${shown ? dealer.cards.map((code) => html`<${Card} key=${code} code=${code} t=${t} />`)
        : dealer.down ? html`<${Backs} count=${dealer.down} t=${t} />` : [0, 1, 2].map(() => html`<i class="card slot"></i>`)}</div>
      ${shown && dealer.qualifies !== undefined && html`<p class=${`verdict ${dealer.qualifies ? "" : "not"}`}>
        <span class="caps"><${Duo} t=${t} word=${dealer.qualifies ? "qualifies" : "not_qualifies"} /></span><small><${Both} t=${t} say=${(one) => handName(dealer, one)} /></small></p>`}
      ${!shown && html`<p class="verdict"><small><${Duo} t=${t} word=${dealer.not_needed || view.over ? "dealer_not_needed" : "dealer_down"} /></small></p>`}
    </div>
    ${children}
  </section>`;
}

function Line({ line, t, amount }) {
  const odds = oddsOf(line.odds);
  return html`<tr>
    <th scope="row" class="soft"><${Wager} name=${line.name} t=${t} /></th>
    <td class="stake">${amount(line.on_minor)}</td>
    <td><span class=${`mark ${line.verdict}`}><${Duo} t=${t} word=${line.verdict} /> ${line.verdict === "pay" && odds && html`<small>${t("odds", { gain: odds.gain, stake: odds.stake })}</small>`}</span></td>
    <td class=${line.verdict}>${line.verdict === "push" ? "–" : amount(line.moves_minor)}</td>
  </tr>`;
}

function Money({ view, run, order, t, amount }) {
  const spot = view.spots.find(({ seat }) => seat === run.now);
  const found = lines(spot.settled, order);
  // One size for every spot of a round: the table stays where it is, and the fullest one fits.
  const fullest = Math.max(...run.order.map((seat) => lines(view.spots.find((one) => one.seat === seat).settled).length));
  const { pay_minor, take_minor } = totals(spot.settled);
  return html`<section class="money">
    <header>
      <h2>${t("spot_n", { n: spot.seat })}</h2><p class="soft"><${Both} t=${t} say=${(one) => outcomeWords(spot, view.dealer, one)} /></p>
      <${Pips} seats=${[...run.order].reverse()} done=${run.done} now=${run.now} words=${t("paid_n_of_m", { n: run.paid, m: run.order.length })} />
    </header>
    <table class=${`wagers ${fullest > 5 ? "long" : ""}`}><tbody>${found.map((line) => html`<${Line} key=${line.name} line=${line} t=${t} amount=${amount} />`)}</tbody></table>
    <p class="sum"><span class="soft">${t("spot_in_all", { n: spot.seat })}</span>
      ${pay_minor > 0 && html`<span class="mark pay">${t("pay")}<b>${amount(pay_minor)}</b></span>`}
      ${take_minor > 0 && html`<span class="mark take">${t("take")}<b>${amount(take_minor)}</b></span>`}
      ${!pay_minor && !take_minor && html`<span class="mark push">${t("push")}</span>`}</p>
  </section>`;
}

function RoundSums({ view, run, t, amount }) {
  const sumsOf = run.order.map((seat) => ({ seat, ...totals(view.spots.find((spot) => spot.seat === seat).settled) }));
  const pay = sumsOf.reduce((sum, one) => sum + one.pay_minor, 0);
  const take = sumsOf.reduce((sum, one) => sum + one.take_minor, 0);
  const cell = (verdict, minor) => html`<td>${minor > 0 ? html`<span class=${`mark ${verdict}`}>${t(verdict)} <b>${amount(minor)}</b></span>` : html`<span class="soft">–</span>`}</td>`;
  return html`<section class="money closed">
    <header><h2><${Duo} t=${t} word="all_paid" /></h2>
      <${Pips} seats=${[...run.order].reverse()} done=${run.done} now=${null} words=${t("paid_n_of_m", { n: run.paid, m: run.order.length })} /></header>
    <table class=${`wagers rounds ${sumsOf.length > 6 ? "long" : ""}`}><tbody>${sumsOf.map((one) => html`<tr key=${one.seat}>
      <th scope="row" class="soft">${t("spot_n", { n: one.seat })}</th>
      ${one.push && !one.pay_minor && !one.take_minor ? html`<td><span class="mark push">${t("push")}</span></td><td></td>` : html`${cell("pay", one.pay_minor)}${cell("take", one.take_minor)}`}</tr>`)}</tbody>
      <tfoot><tr><th scope="row" class="soft">${t("round_in_all")}</th>${cell("pay", pay)}${cell("take", take)}</tr></tfoot></table>
  </section>`;
}

function Decisions({ hand, serverNow, t }) {
  const { view } = hand;
  const all = deciders(view);
  const made = all.filter((spot) => spot.decision).length;
  const time = countdown(hand.turn, serverNow);
  return html`<section class="money decisions">
    <${Dial} time=${time} t=${t} />
    <div>
      <h2><${Duo} t=${t} word="decided_n_of_m" facts=${{ n: made, m: all.length }} /></h2>
      <p class="owe"><${Both} t=${t} say=${(one) => (made === all.length ? one("all_decided") : one("waiting_for", { n: view.waiting.length, seats: listed(view.waiting, one) }))} /></p>
      ${time && time.left_s === 0 && html`<p class="soft">${t("time_up")}</p>`}
    </div>
  </section>`;
}

function Betting({ state, hand, meter_minor, serverNow, t, amount }) {
  const { view, turn } = hand;
  const time = countdown(turn, serverNow);
  const closing = time && time.left_s <= CLOSING_S;
  const inPlay = view.spots.filter((spot) => staked(spot) > 0);
  return html`<${Rules} table=${state.table} meter_minor=${meter_minor} t=${t} amount=${amount} />
    <section class="clock">
      <${Dial} time=${time} t=${t} seconds=${true} />
      <p class=${`cry ${closing ? "closing" : ""}`}><${Duo} t=${t} word=${closing ? "bets_closing" : "place_bets"} /></p>
    </section>
    <dl class="total">
      <div><dt><${Duo} t=${t} word="spots_in_play" /></dt><dd>${inPlay.length} <small>${t("of_n", { n: state.table.max_seats })}</small></dd></div>
      <div><dt><${Duo} t=${t} word="wagered" /></dt><dd>${amount(inPlay.reduce((sum, spot) => sum + staked(spot), 0))}</dd></div>
      <div><dt><${Duo} t=${t} word="reserved" /></dt><dd>${amount(inPlay.reduce((sum, spot) => sum + (spot.reserved_minor ?? 0), 0))}</dd></div>
    </dl>`;
}

export function Banked({ state, hand, serverNow, idle, ledger, t, amount }) {
  const seats = Array.from({ length: state.table.max_seats }, (_, place) => place + 1);
  const view = hand?.view;
  const now = view ? stage(hand, serverNow) : "idle";
  const run = now === "settlement" ? progress(hand, serverNow, state.table.stakes?.settle_seats) : null;
  const kind = { betting: "betting", closed: "betting shut", decision: "", settlement: "", idle: "betting quiet", empty: "betting quiet" }[now];
  const nameOf = (seat) => playerName(sitter(state, view, seat)?.player);
  const dealt = view?.dealer.down > 0;
  const meter_minor = meterOf(state, hand);
  const Spot = { betting: BettingSpot, closed: dealt ? DecisionSpot : BettingSpot, decision: DecisionSpot, settlement: SettledSpot, idle: BettingSpot, empty: BettingSpot }[now];
  return html`<main class=${`table spots ${kind}`} data-seats=${seats.length}>
    <ol class="arc" role="list" aria-label=${t("spots_label")}>
      ${seats.map((seat) => html`<${Spot} key=${seat} seat=${seat} spot=${view?.spots.find((one) => one.seat === seat)} name=${nameOf(seat)}
        view=${view} run=${run} table=${state.table} t=${t} amount=${amount} />`)}
    </ol>
    ${(now === "idle" || now === "empty") && html`<${Rules} table=${state.table} meter_minor=${meter_minor} t=${t} amount=${amount} />
      <section class="clock">${now === "empty" ? html`<div class="rest"><h2><${Duo} t=${t} word="no_bets" /></h2></div>` : html`${idle}${ledger}`}</section>`}
    ${now === "betting" && html`<${Betting} state=${state} hand=${hand} meter_minor=${meter_minor} serverNow=${serverNow} t=${t} amount=${amount} />`}
    ${now === "closed" && html`<p class="shout"><${Duo} t=${t} word="no_more_bets" /></p>`}
    ${(now === "decision" || now === "settlement") && html`
      <${House} view=${view} t=${t}><${Placard} table=${state.table} meter_minor=${meter_minor} t=${t} amount=${amount} /><//>
      ${now === "decision" ? html`<${Decisions} hand=${hand} serverNow=${serverNow} t=${t} />`
        : run.all ? html`<${RoundSums} view=${view} run=${run} t=${t} amount=${amount} />`
        : html`<${Money} view=${view} run=${run} order=${state.table.stakes?.settle_wagers} t=${t} amount=${amount} />`}`}
  </main>`;
}
