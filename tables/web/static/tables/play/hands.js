// The hands this player was dealt in, newest first.

import { html } from "../../vendor/preact-htm.js";
import { groups } from "../money.js";
import { Go } from "./shell.js";
import { Blank, Failed, Loading, Net, timeWords, useAnswer, usePages } from "./ui.js";

const HANDS = 25;

export function Hands({ app }) {
  const { t, client } = app;
  const pages = usePages((cursor) => client.hands({ limit: HANDS, cursor }), "hands");
  const { value: exponents } = useAnswer(async () => Object.fromEntries((await client.wallet()).purses.map(({ currency, exponent }) => [currency, exponent])), []);
  document.title = `${t("hands_title")} · Croupier`;
  if (pages.problem && !pages.lines) return html`<main class="page"><${Failed} problem=${pages.problem} again=${pages.again} t=${t} /></main>`;
  if (!pages.lines || !exponents) return html`<main class="page"><${Loading} t=${t} /></main>`;
  return html`<main class="page">
    <div class="title"><h1>${t("hands_title")}</h1></div>
    ${pages.lines.length === 0 ? html`<${Blank} title=${t("hands_empty")} words=${t("hands_empty_words")}><${Go} app=${app} to="/play/" class="btn">${t("back_to_tables")}</${Go}></${Blank}>` : html`
    <ul class="rows hands">${pages.lines.map((hand) => html`<li key=${hand.id}><${Go} app=${app} to=${`/play/hands/${hand.id}`} class="row">
      <div class="what"><h3>${hand.game.name}</h3><p class="soft">${hand.table.name} · ${t("hand_no", { n: groups(String(hand.number), t.language) })} · ${t("seat_n", { n: hand.seat }).toLowerCase()}</p></div>
      <p class="soft when"><time datetime=${hand.started_at}>${timeWords(hand.started_at, t)}</time></p>
      <p class="result">${hand.status === "voided" ? html`<span class="soft">${t("voided")}</span>` : html`<${Net} minor=${hand.net_minor} amount=${app.amountIn(exponents[hand.currency])} t=${t} />`} <small class="soft">${hand.currency}</small></p>
      <span class="btn">${t("read_hand")}</span>
    </${Go}></li>`)}</ul>`}
    ${pages.next !== null && html`<button type="button" class="btn wide" onClick=${pages.more}>${t("more")}</button>`}
  </main>`;
}
