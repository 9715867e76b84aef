// The player's part of fair cards: a seed for every cut, committed to before the list of seeds is
// closed and opened only if its commitment is on that list (docs/fairness.md 1 and 5).

import { sha256 } from "../verify/sha256.js";

const LABEL = new TextEncoder().encode("croupier/seed/1\0");
const KEPT_MOST = 50;
const BUSY = 503;
const LONGER_MOST = 4;
/** A house that cannot answer for long is asked less often, but within the seconds it gives who lost his line. */
export const againMs = (tries, random = Math.random) => (100 + 200 * random()) * Math.min(2 ** tries, LONGER_MOST);
const later = (what, tries) => setTimeout(what, againMs(tries));

export const hex = (bytes) => [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
export const isSeed = (text) => /^[0-9a-f]{64}$/.test(text);

/** What is sent before a seed of 64 digits is opened. */
export function commitmentOf(seed) {
  const bytes = Uint8Array.from(seed.match(/../g), (pair) => parseInt(pair, 16));
  return hex(sha256(new Uint8Array([...LABEL, ...bytes])));
}

/** Whether no seed of ours is taken at an instant by the house's clock: we left a listed one unopened. */
export const isBarred = (state, now) => Date.parse(state?.you?.seeds_barred_until ?? "") > (now ?? Date.now());

const randomSeed = () => hex(crypto.getRandomValues(new Uint8Array(32)));

export class Seeds {
  /** send(message): says it to the house, false if that is not possible now. onReceipt: what it has signed. wait(what, tries): does it a little later, after so many tries in vain. */
  constructor(send, random = randomSeed, onReceipt = () => {}, wait = later) {
    Object.assign(this, { send, random, onReceipt, wait, isOn: true, own: null });
    this.given = new Map(); // by the number of the cut: seed, commitment, receipts
  }

  /** The seed the player wants in the next cut, of 64 digits; null leaves it to chance. */
  choose(seed) {
    if (seed !== null && !isSeed(seed)) throw new TypeError("a seed is 64 hexadecimal digits");
    this.own = seed;
  }

  /** What the house has signed for us, the way the verifier takes it. */
  get receipts() {
    return [...this.given.values()].filter((one) => one.receipt).map((one) => one.receipt);
  }

  /** Commit to what asks for a seed, open what is listed; to be called whenever the table changes. now: by the house's clock, null if unknown. */
  consider(state, now = null) {
    if (state.you?.seat === null || state.you?.seat === undefined) return;
    const takesOurs = this.isOn && !isBarred(state, now);
    for (const cut of state.cuts ?? []) {
      const mine = this.given.get(cut.cut);
      if (cut.list) this.open(cut.cut, mine, cut.list.commitments);
      else if (!mine && takesOurs && !cut.yours && this.asked(cut)) this.commit(cut.cut);
    }
  }

  // In a running hand only those are asked who gave a seed for it.
  asked(cut) {
    return cut.asks_you ?? (cut.takes_seeds && (cut.deadline === null || this.opened));
  }

  commit(cut) {
    const seed = this.own ?? this.random();
    const commitment = commitmentOf(seed);
    const said = { type: "commit_seed", cut, commitment };
    if (!this.send(said)) return;
    this.own = null;
    this.given.set(cut, { seed, commitment, said, receipt: null, isSent: false, isWaiting: false, tries: 0 });
    if (this.given.size > KEPT_MOST) this.given.delete(this.given.keys().next().value);
  }

  open(cut, mine, commitments) {
    if (!mine || mine.isSent || !commitments.includes(mine.commitment)) return;
    mine.said = { type: "open_seed", cut, seed: mine.seed };
    mine.tries = 0;
    mine.isSent = this.opened = this.send(mine.said);
  }

  /** Once for however many answers, as what is said last counts. */
  again(mine) {
    if (mine.isWaiting) return;
    mine.isWaiting = true;
    this.wait(() => {
      mine.isWaiting = false;
      this.send(mine.said);
    }, mine.tries++);
  }

  /** A receipt of the house, or its refusal. */
  answered(frame) {
    const mine = this.given.get(frame.cut);
    if (!mine) return;
    const { cut, root, commitment, at, signature } = frame;
    if (frame.type === "seed_committed") mine.receipt = { cut, root, commitment, at, signature, opened_at: null, opened_signature: null };
    else if (frame.type === "seed_opened" && mine.receipt) Object.assign(mine.receipt, { opened_at: at, opened_signature: signature });
    else if (frame.type === "seed_refused" && frame.problem.status === BUSY) this.again(mine);
    else if (frame.type === "seed_refused") mine.refused = frame.problem.code;
    if (mine.receipt && frame.type !== "seed_refused") this.onReceipt(mine.receipt);
  }

  /** The line may have broken before the house heard us: what has no answer is said again. */
  reconnected() {
    this.opened = false;
    for (const [cut, mine] of this.given) {
      if (mine.receipt?.opened_at == null) mine.isSent = false;
      if (!mine.receipt && !mine.refused) this.send({ type: "commit_seed", cut, commitment: mine.commitment });
    }
  }
}
