// A ring of players as one of them sees it: he sits at the bottom, the others clockwise from his left.

import { html } from "../../vendor/preact-htm.js";
import { Die } from "../bluff.js";
import { Backs, Card, cardName } from "../cards.js";
import { diceName, handName } from "../i18n.js";
import { playerName } from "../parts.js";
import { boardPlaces, boardsOf, cardState, gains, lastWords, playing, potName, potRows, rowName, shownWords, sidesOf, sums, taken } from "../ring.js";

// How many of the others sit at the left, across and at the right.
const SIDES = [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 1, 1], [1, 2, 1], [1, 3, 1], [2, 2, 2], [2, 3, 2], [2, 4, 2], [3, 3, 3], [3, 4, 3]];

/** Seats in clockwise order after `hero`, cut into the three sides; without a hero all of them. */
export function places(max_seats, hero) {
  const all = Array.from({ length: max_seats }, (_, place) => place + 1);
  const others = hero ? [...all.slice(hero), ...all.slice(0, hero - 1)] : all;
  const [left, top] = SIDES[others.length] ?? SIDES.at(-1);
  return { left: others.slice(0, left), top: others.slice(left, left + top), right: others.slice(left + top), count: others.length };
}

function Held({ player, view, wins, t }) {
  if (player.status === "folded" || player.status === "out") return null;
  if (view.family === "bluff") return html`<${Dice} player=${player} view=${view} t=${t} />`;
  const shown = view.shown?.[player.seat] && player.cards;
  const seen = view.seen?.[player.seat] ?? [];
  const down = shown ? 0 : player.down - seen.length;
  const up = shown ? player.cards : [...seen, ...player.up];
  const count = down + up.length;
  if (!count) return null;
  const kind = shown ? "shown" : up.length ? "ups" : "";
  return html`<div class=${`cards fan-${Math.min(count, 8)} ${kind}`}><${Backs} count=${down} t=${t} />
    ${up.map((code) => html`<${Card} key=${code} code=${code} t=${t} state=${shown ? cardState(view, player.seat, code, wins) : ""} />`)}</div>`;
}

function Dice({ player, view, t }) {
  const dice = view.reveal?.dice?.[player.seat] ?? player.dice;
  const face = view.reveal?.bid?.face;
  const state = (one) => (view.reveal?.dice && face ? (one === face || one === 1 ? "up" : "dim") : "");
  return html`<div class="dice">${dice ? dice.map((one) => html`<${Die} face=${one} state=${state(one)} t=${t} />`) : Array.from({ length: player.down }, () => html`<${Die} t=${t} />`)}</div>`;
}

function deedOf(player, view, gain, t, amount) {
  const { seat, status } = player;
  const shown = view.shown?.[seat];
  if (gain) return html`<b class="mark pay">${amount(gain)}</b>`;
  if (shown) return shownWords(view, seat, t);
  if (view.waiting.includes(seat)) return html`<b>${t("to_act")}</b>${player.bet_minor > 0 && html` ${amount(player.bet_minor)}`}`;
  if (view.family === "bluff") return status === "out" ? t("is_out") : view.bidder === seat && view.bid ? html`${view.bid.quantity} × ${t(`die_${view.bid.face}`)}` : t("holder" in view ? "lives_n" : "left_n", { n: player.left });
  if (view.declared?.[seat]) return t("declares", { side: view.declared[seat] });
  if (!player.last) return player.bet_minor > 0 ? html`${t("has_in")} <b>${amount(player.bet_minor)}</b>` : "";
  const { words, figure } = lastWords(player, t, amount);
  return html`${words}${figure && html` <b>${figure}</b>`}`;
}

function Player({ player, name, view, gain, button, t, amount }) {
  const { seat, status } = player;
  const now = view.waiting.includes(seat);
  const out = status === "folded" || status === "out";
  const spent = status === "all_in" && !player.stack_minor;
  return html`<li class=${`seat ${now ? "now" : ""} ${out ? "out" : ""} ${gain ? "won" : ""}`} aria-current=${now ? "step" : null}>
    <${Held} player=${player} view=${view} wins=${Boolean(gain)} t=${t} />
    <p class="plate"><b>${name}</b><span>${spent ? t("all_in") : amount(player.stack_minor)}</span>${status === "all_in" && !spent ? html`<em class="tag">${t("all_in")}</em>` : view.over_blind?.seat === seat && !view.awards?.length && html`<em class="tag">${t(`blind_${view.over_blind.kind}`)}</em>`}${button === seat && html`<i class="dealer" role="img" aria-label=${t("button")}>D</i>`}</p>
    <p class="did">${deedOf(player, view, gain, t, amount)}</p>
  </li>`;
}

function Resting({ seat, one, onSit, moves, t, amount }) {
  if (one) {
    const words = one.status === "playing" ? (one.owes?.length ? t("waits_blind") : "") : t.has(`seat_${one.status}`) ? t(`seat_${one.status}`) : one.status;
    return html`<li class="seat out"><p class="plate"><b>${playerName(one.player)}</b><span>${amount(one.stack_minor)}</span></p><p class="did">${words}</p></li>`;
  }
  return html`<li class="seat vacant">${onSit
    ? html`<button type="button" class=${`plate ${moves ? "moving" : ""}`} onClick=${() => onSit(seat)} aria-label=${t(moves ? "move_seat" : "take_seat", { n: seat })}><b>${t("seat_n", { n: seat })}</b><span>${t(moves ? "move_here" : "sit_down")}</span></button>`
    : html`<p class="plate"><b>${t("open")}</b></p>`}</li>`;
}

function Board({ view, t }) {
  if (view.family !== "poker" || !(view.board.length || view.rabbit || view.street === "preflop")) return null;
  const boards = boardsOf(view);
  const note = view.rabbit && html`<small class="soft rabbit-note">${t("rabbit")}</small>`;
  if (boards.length < 2) return html`<${Laid} view=${view} nth=${0} label=${t("board")} t=${t} />${note}`;
  return html`<div class=${`boards b${boards.length}`}>${boards.map((_, nth) => {
    const label = t(view.runs ? "run_n" : "board_n", { n: nth + 1 });
    return html`<small>${label}</small><${Laid} view=${view} nth=${nth} label=${label} t=${t} />`;
  })}</div>${note}`;
}

function Laid({ view, nth, label, t }) {
  const board = boardsOf(view)[nth];
  const wins = playing(view, null, nth);
  const decided = wins.high.size + wins.low.size > 0;
  const laid = [...board, ...(view.rabbit?.[nth] ?? [])]; // what would have come was never in play
  const length = boardPlaces(view, laid);
  return html`<div class="cards board" role="group" aria-label=${label}>${Array.from({ length }, (_, place) => {
    const code = laid[place];
    if (!code) return html`<i key=${place} class="card slot"></i>`;
    if (place >= board.length) return html`<${Card} key=${code} code=${code} t=${t} state="rabbit" />`;
    return html`<${Card} key=${code} code=${code} t=${t} state=${decided ? (wins.high.has(code) || wins.low.has(code) ? "up" : "dim") : ""} />`;
  })}</div>`;
}

/** "Leo B wins 12" with the hand that did it; the sums where several share. */
function Award({ row, several, view, nameOf, t, amount }) {
  const winners = row.shares.flatMap((share) => Object.entries(share.winners).map(([seat, minor]) => ({ seat: Number(seat), minor, half: share.share === "low" ? "low" : "high" })));
  const plain = winners.length === 1;
  const why = [...new Set(winners.map(({ seat, half }) => sidesOf(view, seat)[(row.board_no ?? 1) - 1]?.[half]).filter(Boolean).map((one) => handName(one, t)))].join(" · ");
  return html`<li><span>${several ? rowName(row, view, t) : t("pot")}</span> <b>${plain ? t("log_wins", { who: nameOf(winners[0].seat), amount: amount(winners[0].minor) }) : sums(row, t, amount)}</b>
    <small>${[why, taken(row, t, amount)].filter(Boolean).join(" · ")}</small></li>`;
}

function Pots({ view, nameOf, t, amount }) {
  const rows = potRows(view);
  if (rows.length) return html`<ul class="awards">${rows.map((row) => html`<${Award} key=${row.id} row=${row} several=${rows.length > 1} view=${view} nameOf=${nameOf} t=${t} amount=${amount} />`)}</ul>`;
  if (!view.pot_minor) return null;
  const bets = view.players.reduce((all, { bet_minor = 0 }) => all + bet_minor, 0);
  return html`<div class="pot"><p>${t("pot_line", { amount: amount(view.pot_minor) })}${bets > 0 && bets < view.pot_minor && html` <small>${t("of_which_bets", { amount: amount(bets) })}</small>`}</p>
    ${view.pots?.length > 1 && html`<ul>${view.pots.map((pot) => html`<li key=${pot.name}><span>${potName(pot.name, t)}</span> <b>${amount(pot.amount_minor)}</b></li>`)}</ul>`}</div>`;
}

function Standing({ view, nameOf, t }) {
  if (view.family !== "bluff") return null;
  if (view.reveal?.words) {
    return html`<p class="stands"><b>${t(view.reveal.truth ? "bid_true" : "bid_false")}</b><small>${t("log_loses", { who: nameOf(view.reveal.loser), amount: "" })}</small></p>`;
  }
  if (view.bid) return html`<p class="stands"><b>${view.bid.quantity} ×</b><${Die} face=${view.bid.face} t=${t} /><small>${nameOf(view.bidder)}</small></p>`;
  if (view.call) return html`<p class="stands"><b>${diceName(view.call, t)}</b><small>${nameOf(view.caller)}</small></p>`;
  return html`<p class="stands"><small>${t("no_bid")}</small></p>`;
}

/** Own cards or dice. With `pick` they are buttons: places in the hand are what actions name. */
export function Own({ player, view, picked, pick, onPick, wins, t }) {
  const dice = view.family === "bluff";
  const things = dice ? view.reveal?.dice?.[player.seat] ?? player.dice ?? [] : player.cards ?? [];
  const hidden = things.length ? 0 : player.down ?? 0;
  const folded = player.status === "folded";
  const name = (one) => (dice ? t(`die_${one}`) : cardName(one, t));
  const draw = (one) => (dice ? html`<${Die} face=${one} t=${t} />` : html`<${Card} code=${one} t=${t} state=${folded ? "dim" : cardState(view, player.seat, one, wins)} />`);
  if (pick) {
    return html`<div class=${`own picking ${dice ? "dice" : "cards"} n${things.length}`} role="group" aria-label=${t("your_cards")}>${things.map((one, place) => {
      const order = picked.indexOf(place);
      return html`<button type="button" key=${`${place}${one}`} class="tap" aria-pressed=${String(order >= 0)} aria-label=${`${name(one)}${pick.isOrdered && order >= 0 ? `, ${t("place_n", { n: order + 1 })}` : ""}`}
        onClick=${() => onPick(place)}>${draw(one)}${pick.isOrdered && order >= 0 && html`<b aria-hidden="true">${order + 1}</b>`}</button>`;
    })}</div>`;
  }
  if (!things.length && !hidden) return null;
  return html`<div class=${`own ${dice ? "dice" : "cards"} n${things.length || hidden}`} role="group" aria-label=${t("your_cards")}>
    ${things.map(draw)}${hidden > 0 && !dice && html`<${Backs} count=${hidden} t=${t} />`}</div>`;
}

/** children: what stands in the hero's place. */
export function Felt({ state, hand, hero, onSit, onMove = null, t, amount, children }) {
  const view = hand?.view;
  const gain = view ? (view.award ? Object.fromEntries(Object.entries(view.award.winners)) : gains(view)) : {};
  const { left, top, right, count } = places(state.table.max_seats, hero);
  const one = (seat) => state.seats.find((found) => found.seat === seat);
  const nameOf = (seat) => playerName(one(seat)?.player) || `#${seat}`;
  const draw = (seat) => {
    const player = view?.players.find((found) => found.seat === seat);
    return player ? html`<${Player} key=${seat} player=${player} name=${nameOf(seat)} view=${view} gain=${gain[seat]} button=${view.button} t=${t} amount=${amount} />`
      : html`<${Resting} key=${seat} seat=${seat} one=${one(seat)} onSit=${hero ? onMove : onSit} moves=${Boolean(hero)} t=${t} amount=${amount} />`;
  };
  return html`<div class=${`felt ${count > 5 ? "many" : ""} ${count > 7 ? "crowd" : ""}`}>
    <ol class="side left">${left.map(draw)}</ol>
    <ol class="side top-row">${top.map(draw)}</ol>
    <ol class="side right">${right.map(draw)}</ol>
    <section class="mid" aria-label=${`${t("board")}, ${t("pot")}`}>
      ${view && html`<${Pots} view=${view} nameOf=${nameOf} t=${t} amount=${amount} /><${Board} view=${view} t=${t} /><${Standing} view=${view} nameOf=${nameOf} t=${t} />`}
    </section>
    <section class="me">${children}</section>
  </div>`;
}
