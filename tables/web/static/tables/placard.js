// The placard of a game against the house: limits, paytables in force, rules, the jackpot's meter.

import { html } from "../vendor/preact-htm.js";
import { range } from "./money.js";
import { Both, Duo } from "./parts.js";
import { SETTLING, inOrder, oddsOf } from "./settlement.js";

export const PLACED = ["ante", "pair_plus", "six_card", "prime", "progressive"];
const CLASSES = [
  "royal_flush", "mini_royal", "straight_flush", "four_of_a_kind", "full_house",
  "three_of_a_kind", "straight", "flush", "pair",
];
// What few wagers pay on: too long for the head of a column, so they stand in their wager's row.
const NAMED = ["three_one_colour", "six_one_colour"];
const PAID = [...CLASSES, ...NAMED];

export const wagerName = (name, t) => (t.has(`wager_${name}`) ? t(`wager_${name}`) : name);

export const Wager = ({ name, t }) => html`<${Both} t=${t} say=${(one) => wagerName(name, one)} />`;

const limitsOf = (table) => {
  const limits = table.stakes?.limits ?? {};
  return inOrder(Object.keys(limits), PLACED).map((name) => [name, limits[name]]);
};

function paytablesOf(table) {
  return inOrder(Object.keys(table.paytables ?? {}), SETTLING).flatMap((name) => {
    const odds = table.paytables[name];
    return PAID.some((hand) => odds[hand] !== undefined) ? [{ name, odds }] : [];
  });
}

/** What houses do differently, said aloud. */
function rulesOf(table, t) {
  const { policy = {}, qualifier = "queen", limits = {} } = table.stakes ?? {};
  const keeps = (policy.pair_plus_on_fold ?? "forfeit") !== "forfeit";
  return [
    t(`qualifier_${qualifier}`),
    t(policy.tie === "win" ? "rule_tie_wins" : "rule_tie"),
    ...(limits.pair_plus ? [t(keeps ? "rule_fold_keeps" : "rule_fold_loses")] : []),
  ];
}

function limitLine(table, t, amount) {
  return limitsOf(table).map(([name, { least_minor, most_minor }]) =>
    `${wagerName(name, t)}\u00a0${range(least_minor, most_minor, table.exponent ?? 0, t.language)}`).join(" · ");
}

const oddsText = (odds) => {
  const found = oddsOf(odds);
  return found ? (found.stake === 1 ? `${found.gain}` : `${found.gain}:${found.stake}`) : "";
};

/** The payouts alone, highest first; equal ones once. */
function falling(odds) {
  const known = PAID.filter((hand) => odds[hand] !== undefined).map((hand) => oddsText(odds[hand]));
  return [...new Set(known)].sort((a, b) => parseFloat(b) - parseFloat(a));
}

/** Where the meter of a progressive stands: as its round began, or as the last one left it. */
export function meterOf({ table, last_hand: last }, hand) {
  const terms = table.stakes?.progressive;
  if (!terms) return null;
  const over = hand?.result?.meter?.after_minor ?? (hand ? null : last?.result?.meter?.after_minor);
  return over ?? hand?.stakes?.progressive?.meter_minor ?? terms.seed_minor;
}

/** "A-K-Q of spades 100 % · St. fl. 500": what wins of the meter, and what its wager pays besides. */
function meterLine(table, t) {
  const terms = table.stakes?.progressive;
  if (!terms) return "";
  const named = (hand) => t(t.has(`short_${hand}`) ? `short_${hand}` : "short_any");
  const parts = Object.entries(terms.meter_basis_points).sort(([, a], [, b]) => b - a)
    .map(([hand, points]) => t("meter_part", { hand: named(hand), percent: (points / 100).toLocaleString(t.language) }));
  const units = Object.entries(terms.pays ?? {}).map(([hand, pays]) => [named(hand), oddsOf(pays)]).filter(([, pays]) => pays)
    .sort(([, a], [, b]) => b.gain - a.gain).map(([hand, { gain }]) => `${hand} ${gain}`);
  return [...parts, ...units].join(" · ");
}

function Paytable({ table, t }) {
  const tables = paytablesOf(table);
  const used = CLASSES.filter((hand) => tables.some(({ odds }) => odds[hand] !== undefined));
  // A mini royal has a column of its own only where it pays more than a straight flush.
  const columns = used.filter((hand) => hand !== "mini_royal" || tables.some(({ odds }) => odds.mini_royal !== undefined && odds.mini_royal !== odds.straight_flush));
  return html`<table>
    <tr><th scope="col"><${Duo} t=${t} word="pays_to_1" /></th>${columns.map((hand) => html`<th scope="col"><${Duo} t=${t} word=${`short_${hand}`} /></th>`)}</tr>
    ${tables.map(({ name, odds }) => {
      const named = NAMED.filter((hand) => odds[hand] !== undefined);
      return html`<tr><th scope="row"><${Wager} name=${name} t=${t} /></th>${named.length
        ? html`<td colspan=${columns.length} class="named">${named.map((hand) => html`<span><${Duo} t=${t} word=${`pays_${hand}`} /> <b>${oddsText(odds[hand])}</b></span>`)}</td>`
        : columns.map((hand) => html`<td>${oddsText(odds[hand])}</td>`)}</tr>`;
    })}
  </table>`;
}

export function Placard({ table, meter_minor, t, amount }) {
  return html`<section class="placard" aria-label=${t("placard")}>
    <${Paytable} table=${table} t=${t} />
    <p>${limitLine(table, t, amount)}${meter_minor !== null && html`<br /><b>${t("meter")} ${amount(meter_minor)}</b> · <${Both} t=${t} say=${(one) => meterLine(table, one)} />`}<br /><${Both} t=${t} say=${(one) => rulesOf(table, one).join(" · ")} /></p>
  </section>`;
}

export function Rules({ table, meter_minor, t, amount }) {
  return html`<section class="placard rules" aria-label=${t("placard")}>
    <table class=${`limits ${limitsOf(table).length > 4 ? "long" : ""}`}>${limitsOf(table).map(([name, { least_minor, most_minor }]) => html`<tr>
      <th scope="row"><${Wager} name=${name} t=${t} /></th><td>${least_minor === most_minor ? amount(least_minor) : range(least_minor, most_minor, table.exponent ?? 0, t.language)}</td></tr>`)}
      ${meter_minor !== null && html`<tr class="meter"><th scope="row">${t("meter")}</th><td>${amount(meter_minor)}</td></tr>`}</table>
    <p>${paytablesOf(table).map(({ name, odds }) => html`${wagerName(name, t)} ${falling(odds).join(" · ")}<br />`)}<${Both} t=${t} say=${(one) => meterLine(table, one)} /></p>
    <p>${[[0, 2], [2]].map((part) => html`<span class="line"><${Both} t=${t} say=${(one) => rulesOf(table, one).slice(...part).join(" · ")} /></span>`)}</p>
  </section>`;
}
