// Dealer's choice at the player's own seat: naming the next game, or agreeing to it.

import { html, useState } from "../../vendor/preact-htm.js";
import { choiceWords, limitWords } from "../choice.js";
import { Time } from "./acting.js";

const RANKS = [..."23456789TJQKA"];

function Named({ offer, busy, act, t }) {
  const [nth, setNth] = useState(0);
  const [wild, setWild] = useState("");
  const { name } = offer.games[nth];
  const changes = wild && { name: `${name}, ${wild} wild`, wild }; // everybody reads it, in any language
  return html`<div class="choosing">
    <label>${t("choice_game")}<select value=${nth} onChange=${(event) => setNth(Number(event.currentTarget.value))}>
      ${offer.games.map((game) => html`<option key=${game.nth} value=${game.nth}>${game.name} (${limitWords(game, t)})</option>`)}</select></label>
    ${offer.changes && html`<label>${t("choice_wild")}<select value=${wild} onChange=${(event) => setWild(event.currentTarget.value)}>
      <option value="">${t("choice_no_wild")}</option>${RANKS.map((rank) => html`<option key=${rank} value=${rank}>${t(`rank_${rank}`)}</option>`)}</select></label>`}
    <button type="button" class="btn main" data-move="name_game" disabled=${busy}
      onClick=${() => act({ name: offer.name, nth, ...(changes ? { changes } : {}) })}>${t("choice_deal")}</button>
  </div>`;
}

/** What stands in place of the action bar while a game is chosen. */
export function Naming({ table, busy, act, time, t }) {
  const { legal, asked } = table;
  const offer = legal.find(({ games }) => games);
  const answers = asked && legal.some(({ name }) => name === "decline_game");
  const then = offer ? t("choice_then_before") : answers ? t("choice_then_play") : "";
  return html`<div class="act naming" tabindex="-1" role="group" aria-label=${t("act_label")}>
    <${Time} time=${time} words=${offer ? t("choice_yours") : choiceWords(table.state, t)} then=${then} t=${t} />
    ${offer && html`<${Named} offer=${offer} busy=${busy} act=${act} t=${t} />`}
    ${answers && html`<div class="moves m2">
      <button type="button" class="btn" data-move="decline_game" disabled=${busy} onClick=${() => act({ name: "decline_game" })}>${t("choice_decline")}</button>
      <button type="button" class="btn main" data-move="accept_game" disabled=${busy} onClick=${() => act({ name: "accept_game" })}>${t("choice_accept")}</button>
    </div>`}
  </div>`;
}
