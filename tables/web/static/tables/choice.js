// Dealer's choice, between two hands: the next game is named, then agreed to.

import { html } from "../vendor/preact-htm.js";
import { Both, Dial, countdown, listed, playerName } from "./parts.js";

export const limitWords = ({ limit }, t) => (t.has(`limit_${limit}`) ? t(`limit_${limit}`) : limit);

/** In one sentence: who names the game, or which one it is. */
export function choiceWords({ choice, seats }, t) {
  if (choice.game) return t("choice_next", { game: choice.game.name });
  const one = seats.find(({ seat }) => seat === choice.seat);
  return t("choice_names", { name: playerName(one?.player) || `#${choice.seat}` });
}

/** The announcement on the dealer's screen. */
export function Announced({ state, serverNow, t }) {
  const { choice } = state;
  const { game, waiting, declined, turn } = choice;
  return html`<div class="turn announced">
    <${Dial} time=${countdown(turn, serverNow)} t=${t} />
    <div>
      <h2><${Both} t=${t} say=${(one) => choiceWords(state, one)} /></h2>
      ${game && html`<p class="owe">${limitWords(game, t)}</p>`}
      ${game && waiting.length > 0 && html`<p class="owe soft">${t("choice_waits", { n: waiting.length, seats: listed(waiting, t) })}</p>`}
      ${declined.length > 0 && html`<p class="owe soft">${t("choice_declined", { n: declined.length, seats: listed(declined, t) })}</p>`}
    </div>
  </div>`;
}
