// What does not fit on a display: measured on the drawn page, moment by moment.
//
// A display is drawn here without a house: its state is the reducer's, its link a still picture.

import { html, render } from "/static/vendor/preact-htm.js";
import { Screen } from "/static/tables/display.js";
import { DEALER_WORDS } from "/static/tables/dealer_words.js";
import { translator } from "/static/tables/i18n.js";
import { reduce } from "/static/tables/reducer.js";

const SLACK = 2; // px that rounding may take
const GLYPHS = 0.24; // of a line's height above and below its letters

const unseen = (one) => one.closest(".heard, .deadman, svg");
const optional = (one) => one.closest(".name:not(td), .spare"); // what players and houses call themselves; what a dealer can do without
const name = (one) => `${one.className?.baseVal ?? one.className ?? one.tagName}: ${(one.textContent ?? "").trim().slice(0, 40)}`;

/** Beyond the screen, or taller than the box it must stay in. */
function outOfSight(root) {
  const out = [];
  for (const one of root.querySelectorAll("*")) {
    const box = one.getBoundingClientRect();
    if (!box.width || unseen(one) || optional(one)) continue;
    const beyond = box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1;
    const spilt = one.matches(".seat, .spot, .pot, .placard, .money, .hub, .rest, .ledger") && one.scrollHeight > one.clientHeight + SLACK;
    if (beyond || spilt) out.push(`${beyond ? "beyond" : "spilt"} ${name(one)}`);
  }
  return out;
}

/** Words that an ellipsis or the edge of a box hides, wholly or in part. */
function cut(root) {
  const found = new Set();
  for (const { one, rects } of texts(root)) {
    if (optional(one)) continue;
    for (let held = one; held !== root; held = held.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(held);
      const limit = held.getBoundingClientRect();
      const beside = overflowX !== "visible" && rects.some(({ left, right }) => left < limit.left - SLACK || right > limit.right + SLACK);
      const below = overflowY !== "visible" && rects.some(({ top, bottom, height }) => top + height * GLYPHS < limit.top - SLACK || bottom - height * GLYPHS > limit.bottom + SLACK);
      if (beside || below) found.add(`cut ${name(one)} of ${held.className || held.tagName}`);
    }
  }
  return [...found];
}

/** All text that is to be read: the element that says it, and its boxes. */
function* texts(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || unseen(one) || one.closest("noscript")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width }) => width);
    if (rects.length) yield { one, rects };
  }
}

/** The boxes of all that is read: letters, cards, dice, chips, marks. */
function marks(root) {
  const found = [];
  for (const one of root.querySelectorAll(".card, .die, .button, .no, .chip")) {
    const box = one.getBoundingClientRect();
    if (box.width && !unseen(one)) found.push({ one, box, fan: one.closest(".cards, .board, .dice, .pile") });
  }
  for (const { one, rects } of texts(root)) {
    if (one.closest(".card, .die, .no, .button, .chip")) continue;
    const limit = (one.closest(".name, .facts") ?? one).getBoundingClientRect(); // what an ellipsis hides is not read
    for (const { left, right, top, bottom, height } of rects) {
      const box = { left: Math.max(left, limit.left), right: Math.min(right, limit.right), top: top + height * GLYPHS, bottom: bottom - height * GLYPHS };
      if (box.right > box.left && box.top < limit.bottom && box.bottom > limit.top) found.push({ one, box, fan: null });
    }
  }
  return found;
}

/** Pairs of them that lie over each other. */
function overlaps(root) {
  const found = marks(root);
  const out = [];
  found.forEach((a, at) => {
    for (const b of found.slice(at + 1)) {
      if (a.one === b.one || a.one.contains(b.one) || b.one.contains(a.one) || (a.fan && a.fan === b.fan)) continue;
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (across > SLACK && down > SLACK) out.push(`over ${name(a.one)} / ${name(b.one)} by ${Math.round(across)}x${Math.round(down)}`);
    }
  });
  return out;
}

/** What does not fit of a recorded hand at these moments (frames played). later_ms: looked at so long after. */
globalThis.unfitting = ({ snapshot, frames, figures = null }, moments, language, later_ms = 300) => {
  const t = translator(language, DEALER_WORDS);
  document.documentElement.lang = t.language;
  const root = document.getElementById("drawn");
  const faults = [];
  for (const upto of moments) {
    let state = reduce(null, { type: "snapshot", seq: snapshot.seq, state: snapshot });
    for (const frame of frames.slice(0, upto)) state = reduce(state, frame);
    const at = Date.parse(upto ? frames[upto - 1].at : snapshot.server_time) + later_ms;
    const link = { state, freshness: "live", age_ms: 100, resyncedAt: null, tries: 0, socket: {}, serverNow: () => at, world: { now: () => at } };
    render(html`<${Screen} link=${link} figures=${figures} t=${t} />`, root);
    faults.push(...[...outOfSight(root), ...cut(root), ...overlaps(root)].map((fault) => `after ${upto}: ${fault}`));
  }
  return faults;
};
