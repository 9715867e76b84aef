// Cards checked as they are shown: what `openings` say is held against the roots that were published
// before the deal and the seeds that cut it (docs/fairness.md 4 to 6, docs/protocol.md 8).

import { contentsOf, shownHold } from "./check.js";

const KEPT_MOST = 50;
const NOTHING = { hand: null, shown: 0, problems: [], isWhole: true };

export class LiveProofs {
  constructor(table) {
    this.table = table;
    this.cuts = new Map(); // by number, in the words of a bundle
    this.openings = [];
    this.found = NOTHING;
  }

  /** Take in a frame, before or after whoever draws the table. True: `found` has changed. */
  take(frame) {
    if (frame.type === "snapshot") (frame.state.cuts ?? []).forEach((cut) => this.published(cut));
    else if (frame.type === "events") frame.events.forEach(({ type, public: told }) => this.event(type, told));
    else if (frame.type === "openings") return this.opened(frame);
    return false;
  }

  event(type, told) {
    if (type === "roots_published") this.published(told);
    else if (type === "decks_cut") this.dealt(told);
    else if (type === "cut_void") this.cuts.delete(told.cut);
  }

  published({ cut, purpose, kind, roots }) {
    if (this.cuts.has(cut)) return; // told again, for newcomers
    this.cuts.set(cut, { number: cut, purpose, kind, contents: purpose === "reshuffle" ? null : contentsOf(kind), roots, seeds: [], end: null, full: [] });
  }

  dealt({ cut, number, seeds }) {
    const known = this.cuts.get(cut);
    if (known) this.cuts.set(cut, { ...known, seeds, end: { root: number, end: "dealt" } });
    for (const former of this.cuts.keys()) if (former < cut - KEPT_MOST) this.cuts.delete(former);
  }

  /** Whoever came while a hand ran has not seen its roots in time: its cards are told, not judged. */
  opened({ hand_id, openings }) {
    if (this.found.hand !== hand_id) this.openings = [];
    this.openings = [...this.openings, ...openings];
    const used = [...new Set(this.openings.map(({ cut }) => cut))].map((cut) => this.cuts.get(cut));
    const isWhole = used.every((cut) => cut?.end);
    const problems = isWhole ? shownHold({ table: this.table, cuts: used, openings: this.openings }) : [];
    this.found = { hand: hand_id, shown: this.openings.length, problems, isWhole };
    return true;
  }
}
