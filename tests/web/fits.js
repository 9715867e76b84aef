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

const unseen = (one) => one.closest(".heard, .deadman, .long, svg, .second-unseen");
const name = (one) => `${one.className?.baseVal ?? one.className ?? one.tagName}: ${(one.textContent ?? "").trim().slice(0, 40)}`;

/** Beyond the screen, wider than its own box, or taller than the box it must stay in. */
function outOfSight(root) {
  const out = [];
  for (const one of root.querySelectorAll("*")) {
    if (unseen(one)) continue;
    const box = one.getBoundingClientRect();
    if (!box.width) continue;
    const held = one.parentElement;
    if (held.matches(".hand, .sums") && getComputedStyle(held).overflowX !== "visible") continue; // its ellipsis speaks for it
    const beyond = box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || box.left < -1;
    const cut = !one.children.length && one.clientWidth && one.scrollWidth > one.clientWidth + 1 && !one.matches(".name, .hand, .fits-cut");
    const spilt = one.matches(".seat, .spot, .pot, .placard, .money, .hub, .rest, .ledger") && one.scrollHeight > one.clientHeight + SLACK;
    if (beyond || cut || spilt) out.push(`${beyond ? "beyond" : cut ? "cut" : "spilt"} ${name(one)}`);
  }
  return out;
}

/** The boxes of all that is read: letters, cards, dice, chips, marks. */
function marks(root) {
  const found = [];
  for (const one of root.querySelectorAll(".card, .die, .button, .no, .chip")) {
    const box = one.getBoundingClientRect();
    if (box.width && !unseen(one)) found.push({ one, box, fan: one.closest(".cards, .board, .dice, .pile") });
  }
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || unseen(one) || one.closest(".card, .die, .no, .button, .chip, noscript")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom, height } of range.getClientRects()) {
      const held = one.closest(".name, .hand, .facts, .sums") ?? one;
      const limit = held.getBoundingClientRect(); // what an ellipsis hides is not read
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
  const root = document.getElementById("drawn");
  const faults = [];
  for (const upto of moments) {
    let state = reduce(null, { type: "snapshot", seq: snapshot.seq, state: snapshot });
    for (const frame of frames.slice(0, upto)) state = reduce(state, frame);
    const at = Date.parse(upto ? frames[upto - 1].at : snapshot.server_time) + later_ms;
    const link = { state, freshness: "live", age_ms: 100, resyncedAt: null, tries: 0, socket: {}, serverNow: () => at, world: { now: () => at } };
    render(html`<${Screen} link=${link} figures=${figures} t=${t} />`, root);
    faults.push(...[...outOfSight(root), ...overlaps(root)].map((fault) => `after ${upto}: ${fault}`));
  }
  return faults;
};
