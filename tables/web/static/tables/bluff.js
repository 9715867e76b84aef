// Liar's dice: cups round the table, the bid that stands, and what the dice said when challenged.

import { html } from "../vendor/preact-htm.js";
import { diceName } from "./hand_names.js";
import { Dial, Duo, Seat, countdown, listed, playerName, span_ms } from "./parts.js";

const REVEAL_MS = 7000;
const PIPS = {
  1: [[50, 50]], 2: [[28, 28], [72, 72]], 3: [[26, 26], [50, 50], [74, 74]],
  4: [[28, 28], [72, 28], [28, 72], [72, 72]], 5: [[26, 26], [74, 26], [50, 50], [26, 74], [74, 74]],
  6: [[28, 24], [72, 24], [28, 50], [72, 50], [28, 76], [72, 76]],
};

/** A die; without a face it stands under the cup. */
export function Die({ face, state = "", t }) {
  if (!face) return html`<i class="die under" role="img" aria-label=${t("hidden_die")}></i>`;
  return html`<i class=${`die ${state}`} role="img" aria-label=${t(`die_${face}`)}>
    <svg viewBox="0 0 100 100" aria-hidden="true">${PIPS[face].map(([x, y]) => html`<circle cx=${x} cy=${y} r="10" />`)}</svg></i>`;
}

/** The challenge on the screen: for a while after it, or for good once the hand is over. */
export function revealShown(hand, serverNow) {
  const { view, marks } = hand;
  if (!view.reveal?.words) return null;
  return view.over || span_ms(marks?.revealed_at, serverNow) < REVEAL_MS ? view.reveal : null;
}

function Cup({ player, name, view, reveal, t, amount }) {
  const { seat } = player;
  const acting = view.waiting.includes(seat);
  const dice = reveal?.dice?.[seat];
  const face = reveal?.bid?.face;
  const out = player.status === "out";
  const won = view.award && String(seat) in view.award.winners;
  // Ones are wild.
  const state = (one) => (face === undefined ? "" : one === face || one === 1 ? "up" : "dim");
  const role = reveal?.challenger === seat ? "challenges" : !reveal && (view.bidder ?? view.caller) === seat ? "bid_stands"
    : acting && !reveal ? "to_act" : out ? "is_out" : "holder" in view ? "lives_n" : "left_n";
  const now = (acting && !reveal) || reveal?.loser === seat;
  return html`<li class=${`seat open ${now ? "now" : ""} ${out && !dice ? "out" : ""}`} aria-current=${now ? "step" : null}>
    <h2><${Seat} no=${seat} /><span class="name">${name}</span>
      ${won ? html`<b class="mark pay">${amount(view.award.winners[seat])}</b>` : html`<b class="stack">${amount(player.stack_minor)}</b>`}</h2>
    <div class="body">
      <div class="dice">${dice ? dice.map((one) => html`<${Die} face=${one} state=${state(one)} t=${t} />`)
        : Array.from({ length: player.down }, () => html`<${Die} t=${t} />`)}</div>
      <p class="deed"><span><${Duo} t=${t} word=${role} facts=${{ n: player.left }} /></span></p>
    </div>
  </li>`;
}

function Standing({ view, t }) {
  if (view.bid) {
    return html`<div class="bid"><b>${view.bid.quantity}</b><span class="soft">×</span><${Die} face=${view.bid.face} t=${t} />
      <p>${t("bid_by", { seat: view.bidder })}</p></div>`;
  }
  if (view.call) {
    return html`<div class="bid"><b class="words">${diceName(view.call, t)}</b><p>${t("called_by", { seat: view.caller })}</p></div>`;
  }
  return html`<div class="bid"><p>${t("no_bid")}</p></div>`;
}

function Reveal({ reveal, t }) {
  const { bid, called, count, held, truth, loser } = reveal;
  return html`<div class="reveal">
    <h2>${bid ? html`<b>${bid.quantity}</b> × <${Die} face=${bid.face} t=${t} /> <span class="soft">→</span> <b>${count}</b>` : html`${diceName(called, t)} <span class="held"><span class="soft">→</span> ${diceName(held, t)}</span>`}</h2>
    <p class="verdict"><span class="caps"><${Duo} t=${t} word=${truth ? "bid_true" : "bid_false"} /></span></p>
    <p class="owe"><${Duo} t=${t} word="seat_loses" facts=${{ seat: loser }} /></p>
  </div>`;
}

export function Bluff({ state, hand, serverNow, idle, t, amount }) {
  const seats = Array.from({ length: state.table.max_seats }, (_, place) => place + 1);
  const view = hand?.view;
  const reveal = hand ? revealShown(hand, serverNow) : null;
  const one = (seat) => state.seats.find((found) => found.seat === seat);
  const time = hand && countdown(hand.turn, serverNow);
  return html`<main class="table ring" data-seats=${Math.max(2, Math.min(10, seats.length))}>
    <ol role="list" aria-label=${t("seats_label")}>${seats.map((seat) => {
      const player = view?.players.find((found) => found.seat === seat);
      const name = playerName(one(seat)?.player);
      if (player) return html`<${Cup} key=${seat} player=${player} name=${name} view=${view} reveal=${reveal} t=${t} amount=${amount} />`;
      return html`<li key=${seat} class=${`seat ${name ? "resting" : "free"}`}><h2><${Seat} no=${seat} /><span class="name">${name || html`<${Duo} t=${t} word="open" />`}</span>
        ${name && html`<b class="stack">${amount(one(seat).stack_minor)}</b>`}</h2></li>`;
    })}</ol>
    ${view ? html`<section class="hub dicing">
      ${reveal ? html`<${Reveal} reveal=${reveal} t=${t} />` : html`<${Standing} view=${view} t=${t} />`}
      ${!reveal && view.waiting.length > 0 && html`<div class="turn"><${Dial} time=${time} t=${t} /><div>
        <h2><${Duo} t=${t} word="seat_to_act" facts=${{ n: view.waiting.length, seats: listed(view.waiting, t) }} /></h2>
        ${view.dice_in_play > 0 && html`<p class="owe"><span><${Duo} t=${t} word="dice_in_play" facts=${{ n: view.dice_in_play }} /></span></p>`}</div></div>`}
      ${view.award ? html`<div class="turn won"><div><h2><${Duo} t=${t} word="seat_wins" facts=${{ seat: Object.keys(view.award.winners)[0] }} /></h2>
          <p class="owe mark pay"><b>${amount(Object.values(view.award.winners)[0])}</b></p></div></div>`
        : view.over && view.paid ? html`<p class="owe">${t("pays_to", { seat: view.paid.seat, to: view.paid.to, amount: amount(view.paid.amount_minor) })}</p>`
        : view.pot_minor > 0 && html`<ul role="list" class="stack one"><li><span>${t("pot")}</span><b>${amount(view.pot_minor)}</b></li></ul>`}
    </section>` : html`<section class="hub idle">${idle}</section>`}
  </main>`;
}

/** One sentence for a screen reader. */
export function bluffSpoken(hand, serverNow, t) {
  const reveal = revealShown(hand, serverNow);
  if (reveal) return `${t(reveal.truth ? "bid_true" : "bid_false")}. ${t("seat_loses", { seat: reveal.loser })}`;
  const { view } = hand;
  const standing = view.bid ? `${view.bid.quantity} × ${t(`die_${view.bid.face}`)}` : view.call && diceName(view.call, t);
  const turn = view.waiting.length ? t("seat_to_act", { n: view.waiting.length, seats: listed(view.waiting, t) }) : "";
  return [standing, turn].filter(Boolean).join(". ");
}
