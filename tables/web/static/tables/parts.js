// Small pieces both kinds of table show.

import { html } from "../vendor/preact-htm.js";
import { money } from "./money.js";

export const Seat = ({ no }) => html`<i class="no">${no}</i>`;

const plain = (words) => (typeof words === "string" ? words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "") : words);

/** Words in the reader's language, and small beside them in the second one where a screen shows two: say(t) in each. The same words once. */
export function Both({ t, say }) {
  const first = say(t);
  const second = t.second && say(t.second);
  return html`${first}${second && plain(second) !== plain(first) && html` <small class="second" lang=${t.second.language}>${second}</small>`}`;
}

/** The same for one phrase. */
export const Duo = ({ t, word, facts }) => html`<${Both} t=${t} say=${(one) => one(word, facts)} />`;

/** "12 min": how long something has lasted. */
export const duration = (s, t) => t("since_minutes", { n: Math.max(1, Math.round(s / 60)) });

/** Formats amounts of one table in one language. */
export function teller(table, language) {
  return (minor) => money(minor, table.exponent ?? 0, language);
}

/** Seconds left of a turn, and of how many. Null without a deadline. */
export function countdown(turn, serverNow) {
  if (!turn?.deadline || serverNow === null) return null;
  const end = Date.parse(turn.deadline);
  const left_s = Math.max(0, (end - serverNow) / 1000);
  const whole_s = turn.opened_at ? (end - Date.parse(turn.opened_at)) / 1000 : 0;
  return { left_s, whole_s: Math.max(whole_s, left_s, 1) };
}

/** The ring of a clock; the last five seconds are marked on it. */
export function Dial({ time, t, seconds = false }) {
  if (!time) return null;
  const shown = Math.ceil(time.left_s);
  const whole = time.whole_s.toFixed(2);
  return html`<div class=${`dial ${shown <= 5 ? "short" : ""}`} role="timer" aria-label=${t("seconds_left", { n: shown })}>
    <svg viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="45" />
      <circle class="left" cx="50" cy="50" r="45" pathLength=${whole} stroke-dasharray=${`${time.left_s.toFixed(2)} ${whole}`}
        transform="rotate(-90 50 50)" />
      ${time.whole_s > 6 && html`<circle class="last" cx="50" cy="50" r="39.5" pathLength=${whole}
        stroke-dasharray=${`5 ${whole}`} transform="rotate(-90 50 50)" />`}
    </svg>
    <b>${shown}</b>${seconds && html`<small>${t("seconds", { n: shown })}</small>`}
  </div>`;
}

const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** "10♠", and a star for a joker. */
export const cardText = (code) => (code[1] in SUITS ? `${code[0] === "T" ? "10" : code[0]}${SUITS[code[1]]}` : "★");

export function listed(items, t) {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${t("and")} ${items.at(-1)}`;
}

/** The first letters of a commitment: enough to compare with a receipt at a glance. */
export function shortRoot(root) {
  const text = typeof root === "string" ? root : root?.root ?? root?.roots?.[0];
  return typeof text === "string" && text.length > 10 ? `${text.slice(0, 4)}…${text.slice(-2)}` : text ?? null;
}

/** Who has cut the deck of a hand. */
export const cutWords = (cut, t) => (cut.mode === "players" ? t("cut_by", { n: cut.seeds }) : t(`cut_${cut.mode}`));

export function Pips({ seats, done, now, words }) {
  return html`<p class="pips">
    ${seats.map((seat) => html`<i key=${seat} aria-hidden="true" class=${done.has(seat) ? "on" : seat === now ? "now" : ""}></i>`)}
    <b>${words}</b>
  </p>`;
}

export const span_ms = (mark, serverNow) =>
  mark && serverNow !== null ? Math.max(0, serverNow - Date.parse(mark)) : Infinity;

/** A seat's player as the server names them. */
export const playerName = (player) => (typeof player === "object" && player ? player.name ?? "" : player ?? "");
