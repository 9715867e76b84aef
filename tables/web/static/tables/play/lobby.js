// The lobby: which tables there are, what they cost and where a seat is free.

import { html, useState } from "../../vendor/preact-htm.js";
import { costsWords } from "../costs.js";
import { stakesWords } from "../display.js";
import { range } from "../money.js";
import { Go } from "./shell.js";
import { Blank, Failed, Loading, useAnswer } from "./ui.js";

const EVERY_MS = 5000;
const FAMILIES = ["all", "poker", "banked", "bluff"];
const PAGES_MOST = 5;

async function load(client) {
  const tables = [];
  let cursor = null;
  for (let page = 0; page < PAGES_MOST; page += 1) {
    const found = await client.tables({ limit: 200, cursor });
    tables.push(...found.tables);
    cursor = found.next;
    if (cursor === null) break;
  }
  const { purses } = await client.wallet();
  return { tables, purses, chips: Object.fromEntries(purses.flatMap((purse) => purse.tables.map(({ table, chips }) => [table, chips.amount_minor]))) };
}

export const stakesOf = (table, amount, t) => {
  const { limits } = table.stakes ?? {};
  if (!limits?.ante) {
    const small = table.stakes?.small_bet_minor; // a mix says no more than its small bet
    return stakesWords(table, amount, t) || (small ? `${amount(small)}/${amount(2 * small)}` : "");
  }
  return `${t("wager_ante")} ${range(limits.ante.least_minor, limits.ante.most_minor, table.exponent, t.language)}`;
};

function Dots({ taken, most, t }) {
  return html`<p class="dots" role="img" aria-label=${t("seats_taken_of", { n: taken, m: most })}>
    ${Array.from({ length: most }, (_, place) => html`<i class=${place < taken ? "on" : ""}></i>`)}</p>`;
}

function Row({ table, chips, app }) {
  const { t } = app;
  const amount = app.amountIn(table.exponent);
  const mine = chips !== undefined;
  const free = table.max_seats - table.seats_taken;
  const status = table.status !== "open" && t.has(`wait_${table.status}`) ? t(`wait_${table.status}`) : null;
  return html`<li><${Go} app=${app} to=${`/play/${table.id}`} class=${`row ${mine ? "mine" : ""}`}>
    <div class="what"><h3>${table.game.name}</h3><p class="soft">${table.name}${status && ` · ${status}`}</p></div>
    <p class="at">${stakesOf(table, amount, t)} <small>${table.currency}</small></p>
    <p class="buy soft">${t("buy_in", { range: range(table.buy_in.least_minor, table.buy_in.most_minor, table.exponent, t.language) })}${costsWords(table, amount, t) && html`<br />${costsWords(table, amount, t)}`}</p>
    <div class="seats-free"><${Dots} taken=${table.seats_taken} most=${table.max_seats} t=${t} /><p>${free ? t("seats_free", { n: free }) : t("full")}</p></div>
    <span class=${`btn ${mine ? "main" : ""}`}>${t(mine ? "go_back_in" : "open_table")}${mine && html`<small>${t("your_chips", { amount: amount(chips) })}</small>`}</span>
  </${Go}></li>`;
}

export function Lobby({ app }) {
  const { t, client } = app;
  const [family, setFamily] = useState("all");
  const [game, setGame] = useState("");
  const [onlyFree, setOnlyFree] = useState(false);
  const { value, problem, reload } = useAnswer(() => load(client), [], EVERY_MS);
  document.title = `${t("lobby_title")} · Croupier`;
  if (!value) return html`<main class="page">${problem ? html`<${Failed} problem=${problem} again=${reload} t=${t} />` : html`<${Loading} t=${t} />`}</main>`;
  const ofFamily = value.tables.filter((table) => family === "all" || table.family === family);
  const games = [...new Map(ofFamily.map(({ game: one }) => [one.id, one.name]))].sort((a, b) => a[1].localeCompare(b[1]));
  const chosen = games.some(([id]) => id === game) ? game : "";
  const shown = ofFamily.filter((table) => (!chosen || table.game.id === chosen) && (!onlyFree || table.seats_taken < table.max_seats || table.id in value.chips));
  shown.sort((a, b) => (b.id in value.chips) - (a.id in value.chips));
  const everything = () => { setFamily("all"); setGame(""); setOnlyFree(false); };
  return html`<main class="page lobby">
    <div class="title"><h1>${t("lobby_title")}</h1>
      ${value.purses.map((purse) => html`<p class="purse">${app.amountIn(purse.exponent)(purse.cash.amount_minor)} ${purse.currency}<small>${t("in_wallet")}</small></p>`)}</div>
    <form class="filters" aria-label=${t("filters")} onSubmit=${(event) => event.preventDefault()}>
      <div class="segments" role="group" aria-label=${t("game")}>${FAMILIES.filter((one) => one === "all" || value.tables.some((table) => table.family === one)).map((one) =>
        html`<button type="button" class="btn" aria-pressed=${String(family === one)} onClick=${() => setFamily(one)}>${t(`family_${one}`)}</button>`)}</div>
      <select aria-label=${t("game")} value=${chosen} onChange=${(event) => setGame(event.currentTarget.value)}>
        <option value="">${t("every_game")}</option>${games.map(([id, name]) => html`<option value=${id}>${name}</option>`)}</select>
      <label class="tick"><input type="checkbox" checked=${onlyFree} onChange=${(event) => setOnlyFree(event.currentTarget.checked)} /><span>${t("only_free")}</span></label>
    </form>
    ${problem && html`<p class="banner" role="alert">${t("code_no_answer")}</p>`}
    ${value.tables.length === 0 ? html`<${Blank} title=${t("house_empty")} words=${t("house_empty_words")} />`
      : shown.length === 0 ? html`<${Blank} title=${t("no_tables")} words=${t("no_tables_words")}><button type="button" class="btn" onClick=${everything}>${t("show_all")}</button></${Blank}>`
      : html`<ul class="rows">${shown.map((table) => html`<${Row} key=${table.id} table=${table} chips=${value.chips[table.id]} app=${app} />`)}</ul>`}
  </main>`;
}
