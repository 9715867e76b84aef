// Between hands: what comes next, what stands on the placard, the last results and the table's hour.

import { html } from "../vendor/preact-htm.js";
import { Announced } from "./choice.js";
import { handBrief } from "./hand_names.js";
import { groups, range } from "./money.js";
import { Both, Duo, Seat, cardText, duration } from "./parts.js";

const WINNERS = 4; // seats that a result has room for, or two fewer and how many more
const SHOWN = 5; // results that a screen has room for; fewer below more words

/** What this table does that others may not, one phrase each: straddles, kills, bomb pots, runs. */
export function optionWords({ stakes = {} }, amount, t) {
  const { straddle, kill, bomb_pot: bomb, runs = 1, rabbit, show_window: asks, odd_chips: odd, uncapped_heads_up: uncapped, limit } = stakes;
  return [
    straddle && t("opt_straddle", { who: t(`straddle_${straddle}`) }),
    kill?.size && t(`opt_kill_${kill.size}`, { when: t(kill.after === "scoop" ? "kill_scoop" : "kill_two") }),
    bomb && t("opt_bomb", { ante: bomb.ante_minor > 0 ? amount(bomb.ante_minor) : "" }) + (bomb.boards > 1 ? ` · ${t("opt_boards", { n: bomb.boards })}` : "")
      + (bomb.every_hands > 0 ? ` · ${t("opt_every", { n: bomb.every_hands })}` : ""),
    runs > 1 && t("opt_runs", { times: t(`run_${runs}`) }),
    rabbit && t("opt_rabbit"),
    asks && t("opt_show"),
    odd === "suit" && t("opt_odd_suit"),
    uncapped && limit === "fixed" && t("opt_uncapped"),
  ].filter(Boolean);
}

/** The game of a mix that is dealt next; null where it is that of the hand shown, or no mix. */
export function nextGame({ table }, hand) {
  const next = table.family === "mixed" ? table.next_game : null;
  return next && next.id !== hand?.game?.id ? next : null;
}

function Result({ line, t, amount }) {
  const { number, amount_minor, won_minor, hand, dealer } = line;
  const words = dealer ? dealer.cards && `${dealer.cards.map(cardText).join(" ")} · ${t(dealer.qualifies ? "qualifies" : "not_qualifies")}` : hand && handBrief(hand, t);
  const seats = Object.keys(won_minor);
  const named = seats.slice(0, seats.length > WINNERS ? WINNERS - 2 : WINNERS);
  return html`<tr>
    <th scope="row">${groups(String(number), t.language)}</th>
    <td>${amount(amount_minor)}</td>
    ${dealer ? html`<td class="paid">${amount(Object.values(won_minor).reduce((sum, minor) => sum + minor, 0))}</td>`
      : html`<td><p class="who">${named.map((seat) => html`<${Seat} key=${seat} no=${seat} />`)}${seats.length > named.length && html`<b>+${seats.length - named.length}</b>`}</p></td>`}
    <td class="name">${words}</td></tr>`;
}

/** The last results, and the figures of the last hour. figures: null before they came. */
export function Ledger({ figures, family, rows = SHOWN, t, amount }) {
  if (!figures?.last.length) return null;
  const { last, recent } = figures;
  const banked = family === "banked";
  return html`<section class="ledger" aria-label=${t("last_results")}>
    <table><caption><${Duo} t=${t} word="last_results" /></caption>
      <thead><tr class="heads">${(banked ? ["round", "wagered", "paid_back"] : ["hand", "pot", "won_by"]).map((word) => html`<th scope="col"><${Duo} t=${t} word=${word} /></th>`)}<td></td></tr></thead>
      <tbody>${last.slice(0, rows).map((line) => html`<${Result} key=${line.hand_id} line=${line} t=${t} amount=${amount} />`)}</tbody></table>
    ${recent && html`<dl>
      <div><dt><${Duo} t=${t} word=${banked ? "rounds_in" : "hands_in"} facts=${{ span: duration(recent.span_s, t) }} /></dt><dd>${recent.hands}</dd></div>
      <div><dt><${Duo} t=${t} word=${banked ? "average_round" : "average_pot"} /></dt><dd>${amount(recent.average_minor)}</dd></div>
      <div><dt><${Duo} t=${t} word="largest" facts=${{ number: groups(String(recent.most_number), t.language) }} /></dt><dd>${amount(recent.most_minor)}</dd></div>
      ${family === "poker" && html`<div><dt><${Duo} t=${t} word="showdowns" /></dt><dd>${Math.round((100 * recent.shown) / recent.hands)} %</dd></div>`}
    </dl>`}
  </section>`;
}

export function Idle({ state, figures, serverNow, t, amount }) {
  const { table, seats } = state;
  if (state.choice) return html`<${Announced} state=${state} serverNow=${serverNow} t=${t} />`;
  const key = `status_${table.status}`;
  const playing = seats.filter(({ status }) => status === "playing").length;
  const ready = playing >= (table.family === "banked" ? 1 : 2);
  const say = (one) => (table.stopped ? one("house_stopped") : one.has(key) ? one(key) : ready ? one(table.family === "banked" ? "next_round" : "next_hand") : one("waiting_players"));
  const { least_minor, most_minor } = table.buy_in ?? {};
  const next = nextGame(state, null);
  const options = optionWords(table, amount, t);
  return html`<div class=${`rest ${figures?.last.length ? "told" : ""}`}>
    <h2><${Both} t=${t} say=${say} /></h2>
    ${next && html`<p><${Both} t=${t} say=${(one) => one("choice_next", { game: next.name })} /></p>`}
    <p class="taken"><span><${Duo} t=${t} word="seats_taken" facts=${{ n: seats.length, m: table.max_seats }} /></span>${least_minor > 0 && html` <span class="soft"><${Duo} t=${t} word="buy_in" facts=${{ range: range(least_minor, most_minor, table.exponent ?? 0, t.language) }} /></span>`}</p>
    ${options.length > 0 && html`<ul class="options" role="list" aria-label=${t("placard")}>${options.map((words, place) => html`<li key=${words}><${Both} t=${t} say=${(one) => (one === t ? words : optionWords(table, amount, one)[place])} /></li>`)}</ul>`}
    <${Ledger} figures=${figures} family=${table.family} rows=${SHOWN - (options.length > 3 || next ? 1 : 0) - (t.second ? (options.length > 3 ? 3 : 2) : 0)} t=${t} amount=${amount} />
  </div>`;
}
