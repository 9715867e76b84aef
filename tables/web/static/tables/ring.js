// A poker table: a horseshoe of seats as the dealer sees it, the board and the pots in its bend.

import { html } from "../vendor/preact-htm.js";
import { Backs, Card } from "./cards.js";
import { handBrief, handName } from "./hand_names.js";
import { Both, Dial, Duo, Seat, countdown, listed, playerName, span_ms } from "./parts.js";
import { Showdown, Stack, potPaidNow, potRows, rowId, taken } from "./pots.js";
import { halfOf, reasonFor } from "./showdown.js";

export { potName, potRows, rowName, sums, taken } from "./pots.js";

const MANY = 3; // seats that a line can name
const LONG_HAND = 28; // letters of a hand's name that a tile has room for at its size
const ACTIONS = {
  folded: "fold", checked: "check", called: "call", raised: "raise", completed: "complete",
};

const shownOf = (view, seat) => view.shown?.[seat];
const boardGame = (view) => view.board.length > 0 || view.street === "preflop";

/** What each seat is awarded over all pots. */
export function gains(view) {
  const sums = {};
  for (const { winners } of view.awards ?? []) {
    for (const [seat, amount_minor] of Object.entries(winners)) sums[seat] = (sums[seat] ?? 0) + amount_minor;
  }
  return sums;
}

/** The boards of a hand: one, or several each of which decides a part of every pot. */
export const boardsOf = (view) => view.boards ?? [view.board];

const STREETS_TO_FIVE = ["preflop", "flop", "turn", "river"];

/** The places of a board: five where a river comes; a card common to all of another game has none beside it. */
export const boardPlaces = (view, laid) => (!view.over && STREETS_TO_FIVE.includes(view.street) ? Math.max(5, laid.length) : laid.length);

/** What a seat has shown, board by board. */
export function sidesOf(view, seat) {
  const shown = shownOf(view, seat);
  return shown ? shown.boards ?? [shown] : [];
}

/** Whether a seat is in for a half of the pot, as far as it has declared. */
const isInFor = (view, seat, half) => [undefined, "both", half].includes(view.declared?.[seat]);

/** What a shown hand is called, board by board and half by half; equal halves once. */
const shownHalves = (view, seat, t, name) => sidesOf(view, seat).map((sides) =>
  [...new Set(["high", "low"].filter((half) => sides[half] && isInFor(view, seat, half)).map((half) => name(sides[half], t)))]);

export const shownWords = (view, seat, t, name = handName) => shownHalves(view, seat, t, name).map((halves) => halves.join(" · ")).join(" / ");

/** The cards that win something on a board, by the half they win: of one pot, or of all. */
export function playing(view, potNow = null, nth = 0) {
  const cards = { high: new Set(), low: new Set() };
  for (const award of view.awards ?? []) {
    if ((award.board_no ?? 1) - 1 !== nth || (potNow !== null && rowId(award) !== potNow)) continue;
    for (const seat of Object.keys(award.winners)) {
      const sides = sidesOf(view, seat)[nth] ?? {};
      const half = halfOf(award, sides);
      for (const card of sides[half]?.cards ?? []) cards[half].add(card);
    }
  }
  return cards;
}

export function cardState(view, seat, card, wins) {
  const boards = sidesOf(view, seat);
  if (!boards.some(({ high, low }) => high || low)) return "";
  const won = (half, nth) => (view.awards ?? []).some((award) => (award.board_no ?? 1) - 1 === nth
    && halfOf(award, boards[nth]) === half && String(seat) in award.winners);
  const decided = view.awards?.length > 0;
  const plays = boards.flatMap((sides, nth) => ["high", "low"]
    .filter((half) => sides[half]?.cards?.includes(card)).map((half) => ({ half, nth })));
  if (plays.some(({ half, nth }) => !decided || won(half, nth))) return "up";
  if (!decided || wins) return "dim";
  return plays.length ? "" : "dim";
}

export function lastWords({ last, bet_minor }, t, amount) {
  const name = ACTIONS[last.name] ?? last.name;
  const words = t.has(`did_${name}`) ? t(`did_${name}`, last) : name;
  const kind = name === "blind" && t.has(`blind_${last.kind}`) ? t(`blind_${last.kind}`) : null;
  const to_minor = last.to_minor ?? (name === "call" ? bet_minor : null);
  const figure = to_minor && name !== "fold" && name !== "check" ? amount(to_minor) : null;
  return { words: kind ?? words, figure, late: last.default };
}

const sideName = (side, t) => (t.has(`side_${side}`) ? t(`side_${side}`) : side);

function Cards({ player, view, wins, t }) {
  const shown = player.cards?.length ? player.cards : null;
  if (player.status === "folded") return null;
  const seen = !shown && view.seen?.[player.seat];
  if (seen) {
    return html`<div class=${`cards n${player.down}`}>${seen.map((code) => html`<${Card} key=${code} code=${code} t=${t} />`)}
      <${Backs} count=${player.down + player.up.length - seen.length} t=${t} /></div>`;
  }
  const count = shown ? shown.length : player.down + player.up.length;
  if (count === 0) return null;
  if (!shown && player.up.length) {
    return html`<div class="dealt"><div class="cards down">${html`<${Backs} count=${player.down} t=${t} />`}</div>
      <div class="cards up">${player.up.map((code) => html`<${Card} key=${code} code=${code} t=${t} />`)}</div></div>`;
  }
  return html`<div class=${`cards n${Math.min(count, 7)}`}>
    ${shown
      ? shown.map((code) => html`<${Card} key=${code} code=${code} t=${t} state=${cardState(view, player.seat, code, wins)} />`)
      : html`<${Backs} count=${player.down} t=${t} />`}
  </div>`;
}

const Button = ({ t }) => html`<i class="button" role="img" aria-label=${t("button")}>D</i>`;

/** All-in at the table's cap: what lies behind is out of this hand. */
function isCapped({ stack_minor, last }) {
  return stack_minor > 0 && last?.name !== "protected";
}

/** Who has a leg, or kills the next hand, between two hands and until the kill is put in. */
function Leg({ specials, seat, t }) {
  if (specials?.kills === seat) return html`<em class="tag strong"><${Duo} t=${t} word="kills_next" /></em>`;
  return specials?.leg === seat ? html`<em class="tag"><${Duo} t=${t} word="leg_up" /></em>` : null;
}

function Marks({ player, view, t }) {
  const declared = view.declared?.[player.seat];
  return html`${player.seat === view.button && html`<${Button} t=${t} />`}
    ${view.awards?.length > 0 && declared && html`<em class="tag"><${Both} t=${t} say=${(one) => sideName(declared, one)} /></em>`}
    ${view.over_blind?.seat === player.seat && !view.awards?.length && html`<em class="tag"><${Duo} t=${t} word=${`blind_${view.over_blind.kind}`} /></em>`}
    ${player.status === "all_in" && !view.awards?.length && html`<em class="tag strong"><${Duo} t=${t} word=${isCapped(player) ? "capped" : "all_in"} /></em>`}`;
}

function Deed({ player, acting, t, amount }) {
  const bet = player.bet_minor > 0 && html`<b>${amount(player.bet_minor)}</b>`;
  // What lies before him is not what he owes.
  if (acting) return html`<p class="deed"><span><${Duo} t=${t} word="to_act" /></span>${bet && html`<span class="in">${t("has_in")} ${bet}</span>`}</p>`;
  if (!player.last) return html`<p class="deed">${bet && html`<span><${Duo} t=${t} word="has_in" /></span>${bet}`}</p>`;
  const { figure, late } = lastWords(player, t, amount);
  const say = (one) => [lastWords(player, one, amount).words, late && html` <small>${one("time_out")}</small>`];
  return html`<p class="deed"><span><${Both} t=${t} say=${say} /></span>${figure && html`<b>${figure}</b>`}</p>`;
}

/** What a seat's shown hand is called: a line a half, or a board; in the second language in one line. */
function Called({ view, seat, t }) {
  const boards = shownHalves(view, seat, t, handBrief);
  const lines = boards.length > 1 ? boards.map((halves, nth) => html`<span><b>${nth + 1}</b> ${halves.join(" · ")}</span> `)
    : boards.flat().map((words) => html`<span>${words}</span> `);
  const words = (one) => shownWords(view, seat, one, handBrief);
  const say = (one) => (one === t ? lines : words(one));
  const size = view.boards ? "several" : boards.flat().some((half) => half.length > LONG_HAND) ? "lengthy" : "";
  return html`<p class=${`hand ${size}`}>${t.second && words(t) === words(t.second) ? lines : html`<${Both} t=${t} say=${say} />`}</p>`;
}

/** One sentence about a seat's cards, where it shows none. */
const Said = ({ t, word, facts }) => html`<p class="hand"><${Duo} t=${t} word=${word} facts=${facts} /></p>`;

function Player({ player, name, view, gain, spotlight, specials, t, amount }) {
  const { seat, status } = player;
  const shown = shownOf(view, seat);
  const acting = view.waiting.includes(seat);
  const folded = status === "folded";
  const mucked = player.last?.name === "muck";
  const settled = view.awards?.length > 0;
  const now = acting || spotlight;
  const facts = ["seat", now && "now", folded && "out", settled && !gain && "over", (shown || settled) && !folded && "shown", player.up.length > 0 && "open"];
  return html`<li class=${facts.filter(Boolean).join(" ")} aria-current=${now ? "step" : null}>
    <h2><${Seat} no=${seat} /><span class="name">${name}</span><${Marks} player=${player} view=${view} t=${t} />${view.over_blind?.kind !== "kill" && html`<${Leg} specials=${specials} seat=${seat} t=${t} />`}
      ${settled && gain ? html`<b class="mark pay">${amount(gain)}</b>` : html`<b class="stack">${amount(player.stack_minor)}</b>`}</h2>
    <div class="body">
      <${Cards} player=${player} view=${view} wins=${Boolean(gain)} t=${t} />
      ${view.declared?.[seat] && !settled ? html`<p class="hand"><${Both} t=${t} say=${(one) => one("declares", { side: sideName(view.declared[seat], one) })} /></p>`
        : shown ? html`<${Called} view=${view} seat=${seat} t=${t} />`
        : settled && !folded && mucked ? html`<${Said} t=${t} word="did_muck" />`
        : settled && acting ? html`<${Said} t=${t} word="may_show" />`
        : settled && !folded && gain ? html`<${Said} t=${t} word=${view.seen?.[seat] ? "wins_seen" : "wins_unshown"} facts=${{ n: view.seen?.[seat]?.length }} />`
        : html`<${Deed} player=${player} acting=${acting} t=${t} amount=${amount} />`}
    </div>
  </li>`;
}

/** A seat that is in no hand; a dead button lies before one. */
function Empty({ seat, one, playing, button, t, amount }) {
  const mark = seat === button && html`<${Button} t=${t} />`;
  if (!one) return html`<li class="seat free"><h2><${Seat} no=${seat} /><span><${Duo} t=${t} word="open" /></span>${mark}</h2></li>`;
  const key = one.status !== "playing" ? `seat_${one.status}` : one.owes?.length ? "waits_blind" : playing && "waits_next";
  return html`<li class="seat resting">
    <h2><${Seat} no=${seat} /><span class="name">${playerName(one.player)}</span>${mark}<b class="stack">${amount(one.stack_minor)}</b></h2>
    <div class="body"><p class="deed"><span>${key && (t.has(key) ? html`<${Duo} t=${t} word=${key} />` : one.status)}</span></p></div>
  </li>`;
}

function Board({ view, potNow, t }) {
  if (!boardGame(view) || (view.over && !view.board.length && !view.rabbit)) return null;
  const boards = boardsOf(view);
  if (boards.length < 2) return html`<${Laid} view=${view} nth=${0} label=${t("board")} potNow=${potNow} t=${t} />`;
  return html`<div class=${`boards b${boards.length}`}>${boards.map((_, nth) => {
    const [word, facts] = [view.runs ? "run_n" : "board_n", { n: nth + 1 }];
    return html`<p class=${rowsOn(view, potNow, nth) ? "now" : ""}><${Duo} t=${t} word=${word} facts=${facts} /></p><${Laid} view=${view} nth=${nth} label=${t(word, facts)} potNow=${potNow} t=${t} />`;
  })}</div>`;
}

/** Whether the pot that is paid now is decided by this board. */
const rowsOn = (view, potNow, nth) => (view.awards ?? []).some((award) => rowId(award) === potNow && award.board_no === nth + 1);

function Laid({ view, nth, label, potNow, t }) {
  const board = boardsOf(view)[nth];
  const wins = playing(view, potNow, nth);
  const split = (view.awards ?? []).some(({ share }) => share === "low") || Object.values(view.shown ?? {}).some(({ low }) => low);
  const decided = wins.high.size + wins.low.size > 0;
  const missed = view.rabbit?.[nth] ?? []; // they were never in play
  const laid = [...board, ...missed];
  const length = boardPlaces(view, laid);
  const slots = Array.from({ length }, (_, place) => laid[place]);
  return html`<ol class="board" role="list" aria-label=${label}>
    ${slots.map((code, place) => {
      if (!code) return html`<li key=${`slot${place}`}><i class="card slot"></i></li>`;
      if (place >= board.length) return html`<li key=${code}><${Card} code=${code} t=${t} state="rabbit" />${place === board.length && html`<b><${Duo} t=${t} word="rabbit" /></b>`}</li>`;
      const halves = ["high", "low"].filter((half) => wins[half].has(code));
      return html`<li key=${code}><${Card} code=${code} t=${t} state=${decided ? (halves.length ? "up" : "dim") : ""} />
        ${split && decided && html`<b>${halves.map((half) => t(half)).join(" · ")}</b>`}</li>`;
    })}
  </ol>`;
}

function Owed({ view, turn, t, amount }) {
  const { call_minor, least_to_minor: least, most_to_minor: most } = view;
  const bringIn = turn?.bring_in_minor;
  const due = call_minor > 0 ? call_minor : bringIn;
  const parts = [html`<span>${due > 0 && html`<b>${amount(due)}</b> `}<${Duo} t=${t} word=${due > 0 ? (bringIn ? "to_bring_in" : "to_call") : "may_check"} /></span>`];
  if (least !== null && least !== undefined) {
    const verb = bringIn ? "complete_to" : call_minor > 0 || view.players.some(({ bet_minor }) => bet_minor > 0) ? "raise_to" : "bet_of";
    parts.push(html`<span><span class="soft">${t(verb)}</span> <b>${least === most ? amount(least) : `${amount(least)}–${amount(most)}`}</b>${t.second && html`<small class="second" lang=${t.second.language}>${t.second(verb)}</small>`}</span>`);
  }
  return html`<p class="owe">${parts}</p>`;
}

function Turn({ hand, serverNow, t, amount }) {
  const { view, turn } = hand;
  const [seat] = view.waiting;
  if (view.over) return html`<div class="turn"><div><h2><${Duo} t=${t} word="passed_out" /></h2>${view.carried_minor > 0 && html`<p class="owe"><${Duo} t=${t} word="pot_carried" /> <b>${amount(view.carried_minor)}</b></p>`}</div></div>`;
  if (seat === undefined) return html`<div class="turn"><div><h2><${Duo} t=${t} word="dealing" /></h2></div></div>`;
  const time = countdown(turn, serverNow);
  if (view.window === "run") {
    return html`<div class="turn asked"><${Dial} time=${time} t=${t} />
      <div><h2><${Duo} t=${t} word="runs_asked" /></h2><p class="owe"><${Both} t=${t} say=${(one) => one("runs_wait", { n: view.waiting.length, seats: listed(view.waiting, one) })} /></p></div></div>`;
  }
  const asked = `window_${view.window}`;
  return html`<div class="turn">
    <${Dial} time=${time} t=${t} />
    <div>
      <h2><${Both} t=${t} say=${(one) => (view.waiting.length > MANY ? one("seats_to_act", { n: view.waiting.length }) : one("seat_to_act", { n: view.waiting.length, seats: listed(view.waiting, one) }))} /></h2>
      ${turn?.clock && html`<p class="owe"><${Duo} t=${t} word=${`clock_${turn.clock}`} /></p>`}
      ${view.window === "draw" || t.has(asked) ? html`<p class="owe"><${Duo} t=${t} word=${view.window === "draw" ? "draws_now" : asked} /></p>` : html`<${Owed} view=${view} turn=${turn} t=${t} amount=${amount} />`}
    </div>
  </div>`;
}

function Hub({ hand, serverNow, rows, potNow, elapsed_ms, t, amount }) {
  const { view } = hand;
  const single = rows.length === 1 && Object.keys(view.shown ?? {}).length === 0;
  const [winner] = single ? Object.keys(rows[0].shares[0].winners) : [];
  const why = (one) => [reasonFor(view, rows[0].shares[0], one), taken(rows[0], one, amount)].filter(Boolean).join(" · ");
  return html`<section class=${`hub ${rows.length ? "paying" : ""} ${boardGame(view) ? "" : "boardless"}`}>
    <${Board} view=${view} potNow=${potNow} t=${t} />
    ${rows.length === 0 && html`<${Turn} hand=${hand} serverNow=${serverNow} t=${t} amount=${amount} />${!view.over && html`<${Stack} view=${view} t=${t} amount=${amount} />`}`}
    ${winner && html`<div class="turn won"><div><h2><${Duo} t=${t} word="seat_wins" facts=${{ seat: winner }} /></h2>
      <p class="owe mark pay"><b>${amount(rows[0].shares[0].winners[winner])}</b></p>
      <p class="soft"><${Both} t=${t} say=${why} /></p></div></div>`}
    ${rows.length > 0 && !winner && html`<${Showdown} view=${view} rows=${rows} now=${potNow} elapsed_ms=${elapsed_ms} t=${t} amount=${amount} />`}
  </section>`;
}

export function Ring({ state, hand, serverNow, idle, t, amount }) {
  const seats = Array.from({ length: state.table.max_seats }, (_, place) => place + 1);
  const view = hand?.view;
  const rows = view ? potRows(view) : [];
  const elapsed_ms = rows.length ? span_ms(hand.marks?.awarded_at, serverNow) : 0;
  const potNow = rows.length ? potPaidNow(view, rows, elapsed_ms) : null;
  const lit = new Set(rows.filter(({ id }) => id === potNow).flatMap(({ shares }) => shares.flatMap(({ winners }) => Object.keys(winners).map(Number))));
  const gain = view ? gains(view) : {};
  const nameOf = (seat) => state.seats.find((one) => one.seat === seat)?.player;
  return html`<main class="table ring" data-seats=${Math.max(2, Math.min(10, seats.length))}>
    <ol role="list" aria-label=${t("seats_label")}>
      ${seats.map((seat) => {
        const player = view?.players.find((one) => one.seat === seat);
        return player
          ? html`<${Player} key=${seat} player=${player} name=${playerName(nameOf(seat))} view=${view} gain=${gain[seat]} spotlight=${lit.has(seat)} specials=${state.specials} t=${t} amount=${amount} />`
          : html`<${Empty} key=${seat} seat=${seat} one=${state.seats.find((one) => one.seat === seat)} playing=${Boolean(view)} button=${view?.button} t=${t} amount=${amount} />`;
      })}
    </ol>
    ${view ? html`<${Hub} hand=${hand} serverNow=${serverNow} rows=${rows} potNow=${potNow} elapsed_ms=${elapsed_ms} t=${t} amount=${amount} />` : html`<section class="hub idle">${idle}</section>`}
  </main>`;
}
