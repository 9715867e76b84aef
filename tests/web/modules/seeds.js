import { Seeds, againMs, commitmentOf, isBarred } from "../../../tables/web/static/tables/play/seeds.js";
import { equal, ok } from "./check.js";

const SEED = "11".repeat(32);
const COMMITMENT = "310fff82fc2f806896bc5b06b636c92c6e4deacf6180a7195b57ce4cbe18732f"; // of docs/fairness.md
const ROOTS = [{ number: 1, root: "ab".repeat(32), signature: "00" }];

function stage({ heard = true } = {}) {
  const said = [];
  const waiting = [];
  const seeds = new Seeds((message) => (heard ? Boolean(said.push(message)) : false), () => SEED, () => {}, (what) => waiting.push(what));
  return { said, seeds, waiting };
}

const open = (cut, more) => ({ cut, purpose: "deal", takes_seeds: true, roots: ROOTS, deadline: null, list: null, yours: null, ...more });
const at = (...cuts) => ({ you: { seat: 2 }, cuts });

export const tests = {
  "every receipt is handed on as soon as it is signed, and again when the seed is opened"() {
    const handed = [];
    const seeds = new Seeds(() => true, () => SEED, (receipt) => handed.push({ ...receipt }));
    seeds.consider(at(open(4)));
    seeds.answered({ type: "seed_committed", cut: 4, root: "ab", commitment: COMMITMENT, at: 1, signature: "00" });
    seeds.answered({ type: "seed_opened", cut: 4, at: 3, signature: "11" });
    equal(handed.map(({ at, opened_at }) => [at, opened_at]), [[1, null], [1, 3]]);
  },
  "a commitment is that of the page on fair cards"() {
    equal(commitmentOf(SEED), COMMITMENT);
  },
  "every cut that takes seeds gets one commitment, and only a listed one is opened"() {
    const { said, seeds } = stage();
    seeds.consider(at(open(4)));
    seeds.consider(at(open(4)));
    equal(said, [{ type: "commit_seed", cut: 4, commitment: COMMITMENT }]);
    seeds.consider(at(open(4, { list: { commitments: ["00".repeat(32)] } })));
    equal(said.length, 1);
    seeds.consider(at(open(4, { list: { commitments: [COMMITMENT] } })));
    seeds.consider(at(open(4, { list: { commitments: [COMMITMENT] } })));
    equal(said.slice(1), [{ type: "open_seed", cut: 4, seed: SEED }]);
  },
  "who only watches, and a certified table, give no seed"() {
    const { said, seeds } = stage();
    seeds.consider({ you: null, cuts: [open(1)] });
    seeds.consider({ you: { seat: null }, cuts: [open(1)] });
    seeds.consider(at(open(2, { takes_seeds: false })));
    equal(said, []);
  },
  "who is barred gives no seed until then by the house's clock, and opens what is listed"() {
    const { said, seeds } = stage();
    const until = "2026-01-15T20:10:00.000Z";
    const barred = (...cuts) => ({ you: { seat: 2, seeds_barred_until: until }, cuts });
    seeds.consider(at(open(3)));
    seeds.consider(barred(open(3, { list: { commitments: [COMMITMENT] } }), open(4)), Date.parse(until) - 1);
    equal(said.map(({ type, cut }) => [type, cut]), [["commit_seed", 3], ["open_seed", 3]]);
    seeds.consider(barred(open(4)), Date.parse(until));
    equal(said.slice(2), [{ type: "commit_seed", cut: 4, commitment: COMMITMENT }]);
    ok(isBarred(barred(), Date.parse(until) - 1) && !isBarred(at(), 0) && !isBarred(null, 0), "who is barred");
  },
  "a cut of a running hand is for those who gave a seed for its deal"() {
    const { said, seeds } = stage();
    seeds.consider(at(open(7, { deadline: "2026-01-15T20:00:00.500Z" })));
    equal(said, []);
    seeds.consider(at(open(8)));
    seeds.consider(at(open(8, { list: { commitments: [COMMITMENT] } })));
    seeds.consider(at(open(9, { deadline: "2026-01-15T20:00:00.500Z" })));
    equal(said.map(({ type, cut }) => [type, cut]), [["commit_seed", 8], ["open_seed", 8], ["commit_seed", 9]]);
  },
  "a player's own seed is used once, and only if it is one"() {
    const { said, seeds } = stage();
    const own = "22".repeat(32);
    seeds.choose(own);
    seeds.consider(at(open(1), open(2)));
    equal(said.map(({ commitment }) => commitment), [commitmentOf(own), COMMITMENT]);
    let refused = false;
    try { seeds.choose("lucky"); } catch { refused = true; }
    ok(refused, "no seed at all was taken for one");
  },
  "receipts are kept as the verifier takes them"() {
    const { seeds } = stage();
    seeds.consider(at(open(4)));
    equal(seeds.receipts, []);
    seeds.answered({ type: "seed_committed", cut: 4, root: ROOTS[0].root, commitment: COMMITMENT, at: 5, signature: "aa" });
    seeds.answered({ type: "seed_opened", cut: 4, root: ROOTS[0].root, commitment: COMMITMENT, at: 9, signature: "bb" });
    equal(seeds.receipts, [{ cut: 4, root: ROOTS[0].root, commitment: COMMITMENT, at: 5, signature: "aa", opened_at: 9, opened_signature: "bb" }]);
  },
  "a house that is busy hears the same again a little later, and one that refuses does not"() {
    const { said, seeds, waiting } = stage();
    const busy = { type: "seed_refused", cut: 4, problem: { code: "house_unavailable", status: 503 } };
    seeds.consider(at(open(4)));
    seeds.answered(busy);
    equal(said.length, 1);
    waiting.pop()();
    equal(said[1], said[0]);
    seeds.consider(at(open(4, { list: { commitments: [COMMITMENT] } })));
    seeds.answered(busy);
    waiting.pop()();
    equal(said.slice(2), [{ type: "open_seed", cut: 4, seed: SEED }, { type: "open_seed", cut: 4, seed: SEED }]);
    seeds.answered({ type: "seed_refused", cut: 4, problem: { code: "seeds_closed", status: 409 } });
    equal(waiting, []);
  },
  "a house that stays busy is asked less often, once for all its answers, and each seed anew"() {
    const [waiting, tries, said] = [[], [], []];
    const wait = (what, after) => waiting.push(what) && tries.push(after);
    const seeds = new Seeds((message) => Boolean(said.push(message.type)), () => SEED, () => {}, wait);
    const busy = { type: "seed_refused", cut: 4, problem: { code: "house_unavailable", status: 503 } };
    seeds.consider(at(open(4)));
    for (let time = 0; time < 3; time += 1) {
      seeds.answered(busy);
      seeds.answered(busy);
      waiting.pop()();
    }
    equal([waiting.length, said.length], [0, 4]);
    seeds.answered(busy);
    seeds.consider(at(open(4, { list: { commitments: [COMMITMENT] } })));
    seeds.answered(busy);
    equal(tries, [0, 1, 2, 3]);
    waiting.pop()();
    seeds.answered(busy);
    equal(tries, [0, 1, 2, 3, 0]);
    equal(said.slice(4), ["open_seed", "open_seed"]);
    equal([0, 1, 2, 9].map((after) => againMs(after, () => 0.5)), [200, 400, 800, 800]);
    ok(againMs(99, () => 1) <= 1_200, "within the seconds after a silence");
  },
  "what the house may not have heard is said again after a break, with the same seed"() {
    const { said, seeds } = stage();
    seeds.consider(at(open(4)));
    seeds.reconnected();
    equal(said[1], said[0]);
    const deaf = stage({ heard: false });
    deaf.seeds.consider(at(open(4)));
    equal(deaf.seeds.given.size, 0);
  },
};
