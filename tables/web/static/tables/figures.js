// The last results of a table and its figures: asked for after every hand, shown between hands.

const JITTER_MS = 1500;
const AGAIN_MS = 10000;
// A browser's own timer refuses to be called as the method of anything else.
const later = (run, wait_ms) => setTimeout(run, wait_ms);

/**
 * Asks `url` whenever the table's last hand is another one than the figures know of.
 * look(state) is called with every state; `held` is null until an answer came, and never older
 * than the hand that was over last.
 */
export class Figures {
  constructor({ url, onChange, fetch = globalThis.fetch?.bind(globalThis), after = later, random = Math.random }) {
    Object.assign(this, { url, onChange, fetch, after, random });
    this.answer = null;
    this.about = undefined; // the hand that is asked about
    this.newest = null;
  }

  look(state) {
    const last = state.last_hand?.id ?? null;
    this.newest = last;
    if (!this.url || this.about === last) return;
    this.about = last;
    this.after(() => this.ask(last), this.random() * JITTER_MS);
  }

  async ask(last) {
    if (this.about !== last) return;
    try {
      const answer = await this.fetch(this.url, { credentials: "same-origin" });
      if (answer.ok) this.answer = await answer.json();
      else if (answer.status !== 403) this.after(() => this.ask(last), AGAIN_MS);
    } catch {
      // Not reached: the link says so, and here nothing is shown until an answer comes.
      this.after(() => this.ask(last), AGAIN_MS);
    }
    this.onChange();
  }

  /** Nothing while a later hand is over than the answer tells of. */
  get held() {
    const told = this.answer?.last[0]?.hand_id ?? null;
    return this.newest === null || told === null || told >= this.newest ? this.answer : null;
  }
}
