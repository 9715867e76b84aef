import { actionAhead, aheadOf, planned, stands } from "../../../tables/web/static/tables/play/ahead.js";
import { cut, presets, readAmount, typedAmount } from "../../../tables/web/static/tables/play/amounts.js";
import { foldsForNothing, leastQuantity, pickAction, pickOf, sorted, tapped } from "../../../tables/web/static/tables/play/choices.js";
import { places } from "../../../tables/web/static/tables/play/felt.js";
import { lines } from "../../../tables/web/static/tables/play/log.js";
import { EMPTY, clear, needs, put, rack, rebet, undo } from "../../../tables/web/static/tables/play/wagers.js";
import { PLAY_WORDS } from "../../../tables/web/static/tables/play/words.js";
import { WORDS, translator } from "../../../tables/web/static/tables/i18n.js";
import { reduce } from "../../../tables/web/static/tables/reducer.js";
import { equal, ok } from "./check.js";

const factsOf = (entry) => [...new Set([entry].flat().flatMap((text) => [...text.matchAll(/\{\w+\}/g)].map(String)))].sort();
const LIMITS = { ante: { least_minor: 500, most_minor: 2000, step_minor: 100 }, pair_plus: { least_minor: 100, most_minor: 1000, step_minor: 100 } };
const RAISE = { name: "raise", least_to_minor: 400, most_to_minor: 5000 };
const FACING = { pot_minor: 700, call_minor: 200, bet_minor: 100, stack_minor: 4900, chip_minor: 50 };

function told(name, mine) {
  return ({ snapshot, frames }) => {
    const t = translator("en", PLAY_WORDS);
    let state = reduce(null, { type: "snapshot", state: snapshot });
    return frames.flatMap((frame) => {
      state = reduce(state, frame);
      return frame.events.flatMap((event) => lines(event, { t, amount: String, mine, nameOf: (seat) => `P${seat}` }).map(({ words }) => words));
    });
  };
}

export const testsOf = (recordings) => ({
  "every phrase of the client exists in both languages, names the same facts and is no shared one"() {
    equal(Object.keys(PLAY_WORDS.pl).sort(), Object.keys(PLAY_WORDS.en).sort());
    for (const [key, entry] of Object.entries(PLAY_WORDS.en)) {
      equal(factsOf(PLAY_WORDS.pl[key]), factsOf(entry), key);
      equal(Array.isArray(entry), Array.isArray(PLAY_WORDS.pl[key]), key);
      ok(!(key in WORDS.en), `${key} stands in both`);
    }
  },
  "an amount is read with a point or a comma, and never through a float"() {
    equal(["4.2", "4,20", "1 000", "0.07", "1.005", "-3", "", "x"].map((text) => readAmount(text, 2)), [420, 420, 100000, 7, null, null, null, null]);
    equal(readAmount("90071992547.41", 2), 9007199254741);
    equal([420, 400, 7].map((minor) => typedAmount(minor, 2)), ["4.20", "4", "0.07"]);
    equal(typedAmount(7, 0), "7");
  },
  "an amount is cut to the range, and to whole chips between its ends"() {
    const range = { least_minor: 125, most_minor: 990, step_minor: 50 };
    equal([1, 125, 349, 989, 5000].map((minor) => cut(minor, range)), [125, 125, 300, 950, 990]);
  },
  "a raise by the pot is a call and as much again as the pot then holds"() {
    equal(presets(RAISE, FACING), [
      { name: "least", to_minor: 400 }, { name: "half", to_minor: 750 }, { name: "two_thirds", to_minor: 900 },
      { name: "pot", to_minor: 1200 }, { name: "all_in", to_minor: 5000 },
    ]);
    equal(presets({ ...RAISE, most_to_minor: 1200 }, FACING).at(-1), { name: "most", to_minor: 1200 });
  },
  "legal actions find their places; what the page does not know gets a button"() {
    const found = sorted([{ name: "fold" }, { name: "call", amount_minor: 5 }, RAISE, { name: "juggle" }]);
    equal([found.fold.name, found.middle.name, found.raises.length, found.plain], ["fold", "call", 1, [{ name: "juggle" }]]);
    const dice = sorted([{ name: "call", calls: [{ class: "pair", faces: [3] }] }]);
    equal([dice.middle, dice.calls.calls.length], [null, 1]);
  },
  "cards are named by their places: in order where the order counts"() {
    const draw = pickOf({ name: "draw", least_cards: 0, most_cards: 2, of: 5 });
    const picked = [3, 0, 4].reduce((all, place) => tapped(all, place, draw), []);
    equal(pickAction(draw, picked), { name: "draw", cards: [0, 4] });
    equal(tapped([1, 2], 1, draw), [2]);
    const arrange = pickOf({ name: "arrange", least_cards: 3, most_cards: 3, of: 3 });
    equal(pickAction(arrange, [2, 0, 1]), { name: "arrange", cards: [2, 0, 1] });
    equal(pickAction(pickOf({ name: "roll", least: 0, most: 5 }), [4, 1]), { name: "roll", dice: [1, 4] });
  },
  "ahead of the turn: check or fold, this price, any price; nothing on one's own turn or all in"() {
    const me = { seat: 1, status: "live", stack_minor: 900, bet_minor: 50 };
    const view = { family: "poker", window: "turn", street: "flop", waiting: [2], players: [me, { seat: 2, bet_minor: 200 }] };
    equal(aheadOf(view, me).map(({ kind, amount_minor }) => [kind, amount_minor]), [["check_fold", 0], ["call", 150], ["call_any", 0]]);
    equal(aheadOf({ ...view, players: [me, { seat: 2, bet_minor: 50 }] }, me)[1], { kind: "check", amount_minor: 0 });
    equal(aheadOf({ ...view, waiting: [1] }, me), []);
    equal(aheadOf(view, { ...me, stack_minor: 0 }), []);
    equal(aheadOf({ ...view, window: "draw" }, me), []);
  },
  "a call decided ahead ends when the price changes, any call does not; all end with the street"() {
    const hand = { id: 7 };
    const view = { street: "flop", players: [{ bet_minor: 200 }] };
    const raised = { street: "flop", players: [{ bet_minor: 600 }] };
    equal(["call", "check", "check_fold", "call_any"].map((kind) => stands(planned(kind, hand, view), hand, raised)), [false, false, true, true]);
    ok(stands(planned("call", hand, view), hand, view));
    ok(!stands(planned("call_any", hand, view), hand, { ...view, street: "turn" }));
    ok(!stands(planned("call_any", hand, view), { id: 8 }, view));
    ok(!stands(null, hand, view));
  },
  "what was decided ahead becomes an action that is legal, or none"() {
    const facing = [{ name: "fold" }, { name: "call", amount_minor: 150 }];
    const free = [{ name: "fold" }, { name: "check" }];
    const names = (legal) => ["check_fold", "check", "call", "call_any"].map((kind) => actionAhead({ kind }, legal)?.name ?? null);
    equal(names(facing), ["fold", null, "call", "call"]);
    equal(names(free), ["check", "check", null, "check"]);
  },
  "a bid on a lower face needs one die more"() {
    equal([2, 3, 6].map((face) => leastQuantity({ least: { quantity: 4, face: 3 } }, face)), [5, 4, 4]);
  },
  "only a fold that could have been a check is asked about"() {
    equal([foldsForNothing([{ name: "fold" }, { name: "check" }]), foldsForNothing([{ name: "fold" }, { name: "call" }])], [true, false]);
  },
  "the first chip brings the least stake, and nothing lies beyond the limits or the stack"() {
    let bet = put(EMPTY, "ante", 100, LIMITS, 10_000);
    equal(bet.wagers, { ante: 500 });
    bet = put(bet, "ante", 2500, LIMITS, 10_000);
    equal(bet.wagers, { ante: 2000 });
    equal(put(bet, "pair_plus", 100, LIMITS, 4000), bet);
    equal(needs(bet.wagers), 4000);
    equal(put(bet, "six_card", 100, LIMITS, 10_000), bet);
  },
  "undo takes back one step, also a clear; rebet keeps to the limits"() {
    const bet = put(put(EMPTY, "ante", 500, LIMITS, 10_000), "pair_plus", 100, LIMITS, 10_000);
    equal(undo(bet).wagers, { ante: 500 });
    equal(undo(clear(bet)).wagers, bet.wagers);
    equal(rebet(EMPTY, { ante: 600, six_card: 100 }, LIMITS, 10_000).wagers, { ante: 600 });
    equal(rebet(EMPTY, { ante: 600 }, LIMITS, 1000), EMPTY);
    equal(rack(LIMITS, 2), [100, 500, 2500, 10_000, 50_000]);
  },
  "everybody sits clockwise from the reader's left"() {
    equal(places(6, 4), { left: [5], top: [6, 1, 2], right: [3], count: 5 });
    equal(places(2, 1), { left: [], top: [2], right: [], count: 1 });
    equal(places(9, null).count, 9);
  },
  "the log tells a hand to its reader, and names him by you"() {
    const words = told("own_draw.json", 3)(recordings["own_draw.json"]);
    ok(words.includes("Your cards: 2♣ 5♠ 8♥ J♦"), words.join("\n"));
    ok(words.some((one) => one.startsWith("You draw")), words.join("\n"));
    ok(words.some((one) => /wins|You win/.test(one)), words.join("\n"));
    const dice = told("own_dice.json", 1)(recordings["own_dice.json"]);
    ok(dice.includes("You challenge"), dice.join("\n"));
  },
  "no event of a recorded hand breaks the log"() {
    for (const [name, recording] of Object.entries(recordings)) ok(told(name, 2)(recording).every((one) => one && !one.includes("undefined")), name);
  },
});
