// One element per card; the drawing is in cards.css, the name for the ear is here.

import { html } from "../vendor/preact-htm.js";

const JOKER = /^(Jk|X\d)$/;

export function cardName(code, t) {
  if (JOKER.test(code)) return t("joker");
  return t("card_of", { rank: t(`rank_${code[0]}`), suit: t(`suit_${code[1]}`) });
}

export function Card({ code, state = "", t }) {
  const drawn = JOKER.test(code) ? "*x" : code;
  return html`<i class=${`card ${state}`} data-c=${drawn} role="img" aria-label=${cardName(code, t)}></i>`;
}

export function Back({ t }) {
  return html`<i class="card back" role="img" aria-label=${t("face_down")}></i>`;
}

export function Backs({ count, t }) {
  return Array.from({ length: count }, () => html`<${Back} t=${t} />`);
}
