// Pots: why there are several, who may win each, who gets what of it, and why.

import { html } from "../vendor/preact-htm.js";
import { Both, Duo, Seat, listed } from "./parts.js";
import { reasonFor } from "./showdown.js";

const POT_MS = 2500;
const TOLD = 3; // pots that are told in full; one less where they are shared
const MANY = 6; // seats that a row has room to ring
const PAGE = 7; // rows of pots and boards that a screen has room for
const PAGE_MS = 5000;

const boardOf = ({ board_no = 1 }) => board_no - 1;
export const rowId = (award) => `${award.pot}/${boardOf(award)}`;

/** Awards grouped by pot and board, main and first before the others, each with its shares. */
export function potRows(view) {
  const rows = new Map();
  for (const award of view.awards ?? []) {
    const row = rows.get(rowId(award)) ?? { ...award, id: rowId(award), amount_minor: 0, rake_minor: 0, drop_minor: 0, shares: [] };
    const won_minor = Object.values(award.winners).reduce((sum, minor) => sum + minor, 0);
    row.amount_minor += won_minor + (award.rake_minor ?? 0) + (award.drop_minor ?? 0);
    row.rake_minor += award.rake_minor ?? 0;
    row.drop_minor += award.drop_minor ?? 0;
    row.shares.push(award);
    rows.set(row.id, row);
  }
  return [...rows.values()].sort((a, b) => a.pot - b.pot || boardOf(a) - boardOf(b));
}

/** Whether pots are for a high and a low hand; told of each share once a game has both. */
export const isHalved = ({ awards = [] }) => awards.some(({ share }) => share === "high" || share === "low");

/** The pot that is paid now: one at a time, in the order of the awards; null when all are done. */
export function potPaidNow(view, rows, elapsed_ms) {
  if (rows.length < 2) return rows[0]?.id ?? null;
  const order = [...new Set(view.awards.map(rowId))];
  return order[Math.floor(elapsed_ms / POT_MS)] ?? null;
}

/**
 * The rows that are shown of many: the page with the one that is paid now, and once all are paid
 * one page after the other. {shown, paid}: paid is null where all rows fit.
 */
export function pageOf(rows, order, now, elapsed_ms, room = PAGE) {
  if (rows.length <= room) return { shown: rows, paid: null };
  const at = now === null ? null : rows.findIndex(({ id }) => id === now);
  const pages = Math.ceil(rows.length / room);
  const page = at === null ? Math.floor(elapsed_ms / PAGE_MS) % pages : Math.floor(at / room);
  return { shown: rows.slice(page * room, (page + 1) * room), paid: now === null ? rows.length : order.indexOf(now) };
}

/** "rake 0.50 · jackpot drop 0.10": what the house and its jackpots take of a pot. */
export function taken({ rake_minor, drop_minor }, t, amount) {
  return [rake_minor > 0 && `${t("rake")} ${amount(rake_minor)}`, drop_minor > 0 && `${t("drop")} ${amount(drop_minor)}`].filter(Boolean).join(" · ");
}

export const potName = (name, t) => {
  const [kind, number] = String(name).split(" ");
  return kind === "side" ? t("pot_side", { n: number }) : kind === "main" ? t("pot_main") : name;
};

/** "Main · Run 2": a pot, and which of several boards decides this part of it. */
export const rowName = (row, view, t) => (row.board_no
  ? `${potName(row.name, t)} · ${t(view.runs ? "run_n" : "board_n", { n: row.board_no })}` : potName(row.name, t));

/**
 * Why one pot ends and the next begins: by pot, the seats that are all-in for no more than it, each
 * with all that it has paid. [] for the last.
 */
export function potEnds({ pots = [], players }) {
  return pots.map(({ eligible }, place) => {
    const next = pots[place + 1]?.eligible;
    if (!next) return [];
    return players.filter(({ seat, status }) => status === "all_in" && eligible.includes(seat) && !next.includes(seat))
      .map(({ seat, paid_minor }) => ({ seat, paid_minor }));
  });
}

/** "all in: 5 for 1,670": what a side pot comes from, where several have the same the amount once. */
function endWords(ends, t, amount) {
  if (!ends.length) return "";
  const same = new Set(ends.map(({ paid_minor }) => paid_minor)).size === 1;
  return same ? t("all_in_for", { seats: ends.map(({ seat }) => seat).join(", "), amount: amount(ends[0].paid_minor) })
    : t("all_in_seats", { seats: ends.map(({ seat }) => seat).join(", ") });
}

/** The pots while they are played for; several as steps, seat by seat, with what ends each. */
export function Stack({ view, t, amount }) {
  const rows = view.pots ?? [];
  if (rows.length < 2) {
    return html`<ul role="list" class="stack one" aria-label=${t("pots")}><li><span><${Duo} t=${t} word="pot" /></span><b>${amount(view.pot_minor)}</b></li></ul>`;
  }
  const live = view.players.map(({ seat }) => seat).filter((seat) => rows.some(({ eligible }) => eligible.includes(seat)));
  const ends = potEnds(view);
  const height = rows.length > 5 ? "steep" : rows.length > 2 ? "tall" : "";
  return html`<ul role="list" class=${`stack steps ${height} ${live.length > 7 ? "wide" : ""}`} aria-label=${t("pots")}>
    ${rows.map((pot, place) => html`<li key=${pot.name}>
      <span><${Both} t=${t} say=${(one) => potName(pot.name, one)} /></span><b>${amount(pot.amount_minor)}</b>
      <span class="who" role="img" aria-label=${t("eligible_seats", { seats: listed(pot.eligible, t) })}>${live.map((seat) => (pot.eligible.includes(seat) ? html`<${Seat} key=${seat} no=${seat} />` : html`<i key=${seat} class="gap"></i>`))}</span>
      <span class="why"><${Both} t=${t} say=${(one) => endWords(ends[place], one, amount)} /></span>
    </li>`)}
    <li class="all"><span><${Duo} t=${t} word="in_all" /></span><b>${amount(view.pot_minor)}</b></li>
  </ul>`;
}

const NAMED = 3; // winners of a share that are named with their sums
const NAMED_OF_TWO = 2; // the same where there are many pots of two halves

function Gets({ share, named, amount }) {
  const won = Object.entries(share.winners);
  if (won.length > named) {
    const [least, most] = [Math.min, Math.max].map((of) => of(...won.map(([, minor]) => minor)));
    const each = least === most ? amount(least) : `${amount(least)}–${amount(most)}`;
    return html`<p class=${`gets mark pay ${least === most ? "" : "unequal"}`}><b>${`${won.length} × ${each}`}</b></p>`;
  }
  return html`<p class="gets mark pay">${Object.entries(share.winners).map(([seat, sum]) => html`<span><${Seat} no=${seat} /><b>${amount(sum)}</b></span>`)}</p>`;
}

const counted = (minors) => [...minors.reduce((seen, minor) => seen.set(minor, (seen.get(minor) ?? 0) + 1), new Map())];

/** "1,200 → 600 + 600; low tied: 300 + 300" */
export function sums(row, t, amount, named = NAMED) {
  const parts = row.shares.map(({ winners }) => Object.values(winners));
  const each = (minors) => (minors.length > named ? counted(minors).map(([minor, n]) => (n > 1 ? `${n} × ${amount(minor)}` : amount(minor))) : minors.map(amount)).join(" + ");
  const total = (minors) => minors.reduce((sum, minor) => sum + minor, 0);
  if (parts.length === 1) return `${amount(row.amount_minor)} → ${each(parts[0])}`;
  const ties = row.shares.flatMap(({ share }, place) => (parts[place].length < 2 ? []
    : [`${t(share === "low" ? "low_tied" : "high_tied")}: ${each(parts[place])}`]));
  return [`${amount(row.amount_minor)} → ${parts.map((minors) => amount(total(minors))).join(" + ")}`, ...ties].join("; ");
}

function PotRow({ row, view, split, now, crowd, t, amount }) {
  const named = crowd && split ? NAMED_OF_TWO : NAMED;
  const [high] = row.shares.filter(({ share }) => share !== "low");
  const [low] = row.shares.filter(({ share }) => share === "low");
  const plain = row.shares.length === 1 && Object.keys(row.shares[0].winners).length === 1;
  const winners = row.shares.map((share) => Object.keys(share.winners));
  const known = (place) => crowd && (winners[place].length <= named || String(winners[place]) === String(winners[place - 1])); // who shares it is said already
  const reasons = (one) => [...new Set(row.shares.map((share, place) => reasonFor(view, share, one, known(place))))];
  const house = taken(row, t, amount);
  const said = (one) => [...reasons(one), taken(row, one, amount)].filter(Boolean).join(" · ");
  return html`<article class=${`pot ${now ? "now" : ""}`}>
    <h3><span><${Both} t=${t} say=${(one) => rowName(row, view, one)} /></span> <b>${amount(row.amount_minor)}</b></h3>
    <p class=${`who ${row.eligible.length > MANY ? "digits" : ""}`} role="img" aria-label=${t("eligible_seats", { seats: listed(row.eligible, t) })}>${row.eligible.map((seat) => html`<${Seat} no=${seat} />`)}</p>
    ${high ? html`<${Gets} share=${high} named=${named} amount=${amount} />` : html`<p class="none"><${Duo} t=${t} word="no_high" /></p>`}
    ${split && (low ? html`<${Gets} share=${low} named=${named} amount=${amount} />` : html`<p class="none"><${Duo} t=${t} word="no_low" /></p>`)}
    <p class="sums">${!plain && html`<b>${sums(row, t, amount, named)}</b> · `}${reasons(t).map((words, place, all) => html`<span class="why">${words}${(place < all.length - 1 || house) && " ·"}</span> `)}${house && html`<span class="soft why">${house}</span>`}${t.second && said(t.second) !== said(t) && html` <small class="second" lang=${t.second.language}>${said(t.second)}</small>`}</p>
  </article>`;
}

/** Each pot, who may win it, who gets what, and why; the one that is paid now stands out. */
export function Showdown({ view, rows, now, elapsed_ms, t, amount }) {
  const split = isHalved(view); // also where no low qualifies, which is said
  const sum = (of) => rows.reduce((whole, row) => whole + row[of], 0);
  const often = (of) => rows.filter((row) => row[of] > 0).length > 1;
  const { shown, paid } = pageOf(rows, [...new Set(view.awards.map(rowId))], now, elapsed_ms, PAGE - (view.boards?.length ?? 0));
  const shared = rows.some(({ shares }) => shares.length > 1 || Object.keys(shares[0].winners).length > 1);
  const crowd = rows.length > (shared ? TOLD - 1 : TOLD) || (view.boards && rows.some(({ eligible }) => eligible.length > MANY));
  const kind = [view.boards && "parts", split && "halves", crowd && "crowd"].filter(Boolean).join(" ");
  const house = [often("rake_minor") && ["rake_in_all", sum("rake_minor")], often("drop_minor") && ["drop_in_all", sum("drop_minor")],
    view.carried_minor > 0 && ["pot_carried", view.carried_minor]].filter(Boolean);
  return html`<section class=${`pots ${kind}`} aria-label=${t("pots")}>
    ${split && html`<div class="pot label">${["pot", "eligible", "high", "low"].map((word) => html`<p><${Duo} t=${t} word=${word} /></p>`)}</div>`}
    ${shown.map((row) => html`<${PotRow} key=${row.id} row=${row} view=${view} split=${split} now=${row.id === now} crowd=${crowd} t=${t} amount=${amount} />`)}
    ${(house.length > 0 || paid !== null) && html`<p class="raked">${paid !== null && html`<span class="of"><${Duo} t=${t} word="pots_paid" facts=${{ n: paid, m: rows.length }} /></span>`}
      ${house.map(([word, minor]) => html`<span><${Duo} t=${t} word=${word} /> <b>${amount(minor)}</b></span>`)}</p>`}
  </section>`;
}
