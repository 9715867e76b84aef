import { translator } from "../../../tables/web/static/tables/i18n.js";
import { decider, reasonFor } from "../../../tables/web/static/tables/showdown.js";
import { boardPlaces, cardState, playing } from "../../../tables/web/static/tables/ring.js";
import { equal } from "./check.js";

const t = translator("en");
const pl = translator("pl");
const side = (hand, ranks) => ({ class: hand, ranks, words: "" });
const view = (shown) => ({ shown: Object.fromEntries(Object.entries(shown).map(([seat, high]) => [seat, { high }])) });
const pot = (...winners) => ({ pot: 0, share: "high", eligible: [1, 2, 3], winners: Object.fromEntries(winners.map((seat) => [seat, 100])) });

export const tests = {
  "a board waits for its five cards, a common card of another game for none"() {
    equal(boardPlaces({ street: "preflop", over: false }, []), 5);
    equal(boardPlaces({ street: "flop", over: false }, ["As", "Kd", "2c"]), 5);
    equal(boardPlaces({ street: "flop", over: true }, ["As", "Kd", "2c"]), 3);
    equal(boardPlaces({ street: "postdraw", over: false }, ["2d"]), 1);
    equal(boardPlaces({ street: "seventh", over: false }, ["2d"]), 1);
  },
  "the kicker that decided is the first rank in which the best of the others differs"() {
    const shown = view({ 1: side("pair", "AKQ9"), 2: side("pair", "AKJ9"), 3: side("pair", "A752") });
    equal(decider(shown, pot(1)), "Q");
    equal(reasonFor(shown, pot(1), t), "Pair of aces, the queen decides");
    equal(reasonFor(shown, pot(1), pl), "Para asów, decyduje dama");
  },
  "a better hand of the same class needs no kicker"() {
    equal(decider(view({ 1: side("pair", "AKQ9"), 2: side("pair", "KQJ9") }), pot(1)), null);
    equal(reasonFor(view({ 1: side("two_pair", "AK9"), 2: side("two_pair", "AQ9") }), pot(1), t), "Two pair, aces and kings");
  },
  "a better class needs none either"() {
    equal(reasonFor(view({ 1: side("flush", "AKQ97"), 2: side("pair", "AKQ9") }), pot(1), t), "Flush, ace high");
  },
  "a flush can be decided further down"() {
    equal(reasonFor(view({ 1: side("flush", "AK972"), 2: side("flush", "AK962") }), pot(1), t), "Flush, ace high, the seven decides");
  },
  "who is not in the pot decides nothing in it"() {
    const shown = view({ 1: side("pair", "AKQ9"), 4: side("pair", "AKJ9") });
    equal(decider(shown, pot(1)), null);
  },
  "a split names its seats and no kicker"() {
    const shown = view({ 1: side("pair", "AKQ9"), 2: side("pair", "AKQ9"), 3: side("pair", "AKQ8") });
    equal(reasonFor(shown, pot(1, 2), t), "split between seats 1 and 2: Pair of aces");
  },
  "without a shown hand everybody else has folded"() {
    equal(reasonFor({ shown: {} }, pot(2), t), "everybody else has folded");
  },
  "a game with one side only goes by that, low as it is"() {
    const shown = { shown: { 1: { low: side("three_card", "T74") }, 2: { low: side("two_card", "6A") } } };
    const only = { ...pot(1), share: "" };
    equal(reasonFor(shown, only, pl), "Trzy karty: T-7-4");
    const cards = { ...shown, awards: [only] };
    cards.shown[1].low.cards = ["Td", "7c", "4s"];
    equal([...playing(cards).low], ["Td", "7c", "4s"]);
    equal(cardState(cards, 1, "7c", true), "up");
  },
  "on several boards each is decided by its own hands"() {
    const boards = (one, two) => ({ boards: [{ high: one }, { high: two }] });
    const shown = { shown: { 1: boards(side("pair", "AKQ9"), side("pair", "22")), 2: boards(side("pair", "AKJ9"), side("flush", "KQJ97")) } };
    equal(reasonFor(shown, { ...pot(1), board_no: 1 }, t), "Pair of aces, the queen decides");
    equal(reasonFor(shown, { ...pot(2), board_no: 2 }, t), "Flush, king high");
  },
};
