// The floor board: every table a tile. What needs a person comes first and is bright; the rest is quiet.

import { html, render } from "../vendor/preact-htm.js";
import { DEALER_WORDS } from "./dealer_words.js";
import { languageOf, translator } from "./i18n.js";
import { groups, money } from "./money.js";
import { Seat } from "./parts.js";
import { freshness } from "./protocol.js";
import { renewer } from "./renewing.js";

const EVERY_MS = 2000;
const TICK_MS = 500;
const LATE_MS = 15000;

const BOARD_WORDS = {
  en: { floor_board: "Floor", tables_n: ["{n} table", "{n} tables"], in_play_n: "{n} in play", needs_n: ["{n} needs somebody", "{n} need somebody"], all_quiet: "all quiet",
    to_act_n: "to act", in_it: "{n} of {m} in it", seats: "{n}/{m} seats", stuck: "Hand is stuck", paused: "Paused", stopped: "Stopped", draining: "Closing", between: "Between hands",
    since_min: "{n} min", staked: "Staked", no_tables: "No table is open", old: "This board is {s} s old" },
  pl: { floor_board: "Sala", tables_n: ["{n} stół", "{n} stoły", "{n} stołów"], in_play_n: "w grze: {n}", needs_n: ["{n} czeka na kogoś", "{n} czekają na kogoś", "{n} czeka na kogoś"], all_quiet: "spokój",
    to_act_n: "kolej", in_it: "{n} z {m} w grze", seats: "miejsca {n}/{m}", stuck: "Rozdanie stoi", paused: "Wstrzymany", stopped: "Zatrzymany", draining: "Zamyka się", between: "Przerwa",
    since_min: "{n} min", staked: "Postawiono", no_tables: "Żaden stół nie jest otwarty", old: "Tablica sprzed {s} s" },
};

/** What a table needs a person for, the gravest first; empty for nothing. */
export function needs(table, serverNow) {
  const found = table.floor_calls.map(({ why, since }) => ({ word: `why_${why}`, since }));
  const { hand } = table;
  const late = hand?.deadline && !hand.over && table.status !== "stopped" ? serverNow - Date.parse(hand.deadline) : 0;
  if (late > LATE_MS) found.unshift({ word: "stuck", since: hand.deadline });
  return found;
}

/** Those that need somebody first, then by name as people count: 2 before 10. */
export function inOrder(tables, serverNow, language) {
  const names = new Intl.Collator(language, { numeric: true });
  return [...tables].sort((a, b) => Number(needs(b, serverNow).length > 0) - Number(needs(a, serverNow).length > 0) || names.compare(a.name, b.name));
}

function stageWords(table, t) {
  if (table.stopped || table.status === "stopped") return t("stopped");
  if (table.status !== "open" && !table.hand) return t(table.status);
  const { hand } = table;
  if (!hand) return t("between");
  if (table.family === "bluff") return t(hand.waiting.length ? "phase_bidding" : "phase_rolling");
  if (t.has(`phase_${hand.street}`) && table.family === "banked") return t(`phase_${hand.street}`);
  return t.has(`street_${hand.street}`) ? t(`street_${hand.street}`) : (hand.street || t("phase_dealing")).replaceAll("_", " ");
}

function Tile({ table, serverNow, t }) {
  const { hand, dealer } = table;
  const wanted = needs(table, serverNow);
  const left_s = hand?.deadline && !hand.over ? Math.max(0, Math.ceil((Date.parse(hand.deadline) - serverNow) / 1000)) : null;
  return html`<li class=${`tile ${wanted.length ? "wants" : hand ? "" : "rests"}`}>
    <h2>${table.name}<span>${table.game}</span></h2>
    ${wanted.map(({ word, since }) => html`<p class="want"><b>${t(word)}</b> ${t("since_min", { n: Math.max(0, Math.floor((serverNow - Date.parse(since)) / 60000)) })}</p>`)}
    <p class="stage"><b>${stageWords(table, t)}</b>${hand && html`<span>#${groups(String(hand.number), t.language)}</span>`}</p>
    <p class="line">${hand ? html`<span>${t("in_it", { n: hand.in_it, m: hand.players })}</span>
      ${hand.waiting.length > 0 && table.family !== "banked" && html`<span class="acts">${t("to_act_n")} ${hand.waiting.map((seat) => html`<${Seat} no=${seat} />`)}</span>`}
      ${left_s !== null && html`<span class="left">${left_s} s</span>`}` : html`<span>${t("seats", { n: table.taken, m: table.max_seats })}</span>`}</p>
    <p class="line">${hand ? html`<span>${t(table.family === "banked" ? "staked" : "pot")}</span><b>${money(hand.amount_minor, table.exponent, t.language)} ${table.currency}</b>` : html`<span></span>`}</p>
    <p class="line soft">${dealer ? t(dealer.break_since ? "dealer_break" : "dealer", { name: dealer.name }) : html`<span>${table.pit || "\u00a0"}</span>`}</p>
  </li>`;
}

function Board({ held, now, t }) {
  const age_ms = now - held.at;
  const serverNow = Date.parse(held.board.server_time) + age_ms;
  const tables = inOrder(held.board.tables, serverNow, t.language);
  const wanting = tables.filter((table) => needs(table, serverNow).length > 0).length;
  const fresh = freshness(age_ms);
  return html`<header class="head"><h1>${t("floor_board")}</h1>
      <div class="facts"><p>${t("tables_n", { n: tables.length })}</p><p>${t("in_play_n", { n: tables.filter(({ hand }) => hand).length })}</p></div>
      <p class="phase">${wanting ? t("needs_n", { n: wanting }) : t("all_quiet")}</p>
      <p class=${`link ${{ live: "", lag: "lag", stale: "old" }[fresh]}`}><b>${t(fresh)}</b></p></header>
    <ul class=${`tiles ${tables.length > 24 ? "crowd" : tables.length > 12 ? "full" : tables.length > 6 ? "" : "few"}`} role="list">${tables.map((table) => html`<${Tile} key=${table.id} table=${table} serverNow=${serverNow} t=${t} />`)}
      ${tables.length === 0 && html`<li class="rest"><h2>${t("no_tables")}</h2></li>`}</ul>
    ${fresh === "stale" && html`<p class="old-board" role="alert">${t("old", { s: Math.floor(age_ms / 1000) })}</p>`}`;
}

const read = (id) => JSON.parse(document.getElementById(id).textContent);

function start() {
  const config = read("config");
  const more = { en: { ...DEALER_WORDS.en, ...BOARD_WORDS.en }, pl: { ...DEALER_WORDS.pl, ...BOARD_WORDS.pl } };
  const t = translator(languageOf(config, location.search), more);
  const page = document.documentElement;
  page.lang = t.language;
  for (const name of ["metres", "density"]) page.style.setProperty(`--${name}`, page.dataset[name]);
  const root = document.getElementById("board");
  const renew = renewer();
  let held = { board: read("tables"), at: performance.now() };
  const draw = () => {
    const now = performance.now();
    root.classList.toggle("stale", freshness(now - held.at) === "stale");
    render(html`<${Board} held=${held} now=${now} t=${t} />`, root);
  };
  const ask = async () => {
    try {
      const answer = await fetch(config.now_url, { credentials: "same-origin", signal: AbortSignal.timeout(EVERY_MS * 2) });
      if (answer.status === 403) renew("refused");
      if (answer.ok) {
        const board = await answer.json();
        if (board.build !== config.build) renew("build");
        held = { board, at: performance.now() };
      }
    } catch {
      // Nothing came: the age of what is shown says so.
    }
    setTimeout(ask, EVERY_MS);
  };
  root.replaceChildren();
  draw();
  setTimeout(ask, EVERY_MS);
  setInterval(draw, TICK_MS);
}

if (typeof document !== "undefined" && document.getElementById("board")) start();
