import { legalAt, playerSeat, sitter, spotNow, spotsOf, spotsTaken } from "../../../tables/web/static/tables/spots.js";
import { reduce } from "../../../tables/web/static/tables/reducer.js";
import { equal, ok } from "./check.js";

export function testsOf(recordings) {
  const { snapshot, frames } = recordings["own_spots.json"];
  const states = [];
  frames.reduce((state, frame) => states.at(states.push(reduce(state, frame)) - 1), reduce(null, { type: "snapshot", state: snapshot }));
  const [opened] = states;
  const dealt = states.find(({ hand }) => hand.view.phase === "decision");
  return {
    "a spot of the round is its player's, whatever he takes or gives up meanwhile"() {
      const { view } = opened.hand;
      equal([2, 3, 5].map((seat) => playerSeat(view, seat)), [2, 2, 5]);
      equal([2, 3, 4, 5].map((seat) => sitter(opened, view, seat)?.player ?? null), ["Bruno", "Bruno", null, "Edyta"]);
      const given = reduce(opened, { type: "events", seq: 999, events: [{ type: "seat_changed", public: { seat: 2, status: "playing", stack_minor: null, spots: 1 } }] });
      equal(sitter(given, given.hand.view, 3).player, "Bruno");
      equal(sitter(given, null, 3), null);
      equal([spotsTaken(opened.seats), spotsTaken(given.seats)], [3, 2]);
    },
    "a player's spots are those of the round, else those he has"() {
      equal(spotsOf(opened, opened.hand.view, 2), [2, 3]);
      equal(spotsOf(opened, null, 2), [2, 3]);
      equal(spotsOf(opened, null, 5), [5]);
      equal(spotsOf(opened, opened.hand.view, 6), [6]);
    },
    "the spot that is asked comes up by itself, unless another asked one is looked at"() {
      equal([spotNow([2, 3], [], null), spotNow([2, 3], [], 3), spotNow([2, 3], [3], 2), spotNow([2, 3], [2, 3], 3), spotNow([], [], 3)], [2, 3, 3, 3, null]);
    },
    "what may be done at a spot is told by its seat, or for the only one"() {
      equal(legalAt([{ seat: 2, name: "play" }, { seat: 3, name: "fold" }], 3), [{ seat: 3, name: "fold" }]);
      equal(legalAt([{ name: "play" }], 3), [{ name: "play" }]);
    },
    "all spots of a player show one stack, and he his cards at each"() {
      const stacks = ({ hand }) => hand.view.spots.map(({ stack_minor }) => stack_minor);
      equal(stacks(dealt), [50_000 - 6000 - 10_000, 50_000 - 6000 - 10_000, 29_000]);
      equal(dealt.seats.map(({ stack_minor }) => stack_minor), [34_000, 29_000]);
      ok(dealt.hand.view.spots.slice(0, 2).every(({ cards }) => cards.length === 3));
      ok(!dealt.hand.view.spots[2].cards);
    },
  };
}
