import { reduce } from "../../../tables/web/static/tables/reducer.js";
import { lines, oddsOf, paidCount, payOrder, totals } from "../../../tables/web/static/tables/settlement.js";
import { equal } from "./check.js";

const wager = (stake_minor, returned_minor, odds = null) => ({ stake_minor, returned_minor, net_minor: returned_minor - stake_minor, odds });

export function testsOf(recordings) {
  const { snapshot, frames } = recordings["three_card_poker.json"];
  const settled = () => frames.reduce(reduce, reduce(null, { type: "snapshot", state: snapshot })).last_hand.view.spots;
  return {
    "a spot is paid from the dealer's right unless the house says otherwise"() {
      equal(payOrder(settled()), [6, 4, 2]);
      equal(payOrder(settled(), "first_first"), [2, 4, 6]);
    },
    "what is paid and taken is what the ledger moves"() {
      for (const spot of settled().filter(({ settled }) => settled)) {
        const { pay_minor, take_minor } = totals(spot.settled);
        equal(pay_minor - take_minor, spot.settled.net_minor, `spot ${spot.seat}`);
      }
    },
    "a bonus is read on the ante it pays on, and a wager with no outcome is left out"() {
      const found = lines({ wagers: { ante: wager(5000, 5000), ante_bonus: wager(0, 5000, 1), pair_plus: wager(2000, 0), six_card: wager(0, 0) } });
      equal(found.map(({ name, verdict, on_minor, moves_minor }) => [name, verdict, on_minor, moves_minor]), [
        ["ante_bonus", "pay", 5000, 5000], ["ante", "push", 5000, 0], ["pair_plus", "take", 2000, 2000],
      ]);
    },
    "the house's order of wagers is kept"() {
      const all = { wagers: { ante: wager(1, 2), play: wager(1, 2), pair_plus: wager(1, 0) } };
      equal(lines(all).map(({ name }) => name), ["play", "ante", "pair_plus"]);
      equal(lines(all, ["pair_plus"]).map(({ name }) => name), ["pair_plus", "ante", "play"]);
    },
    "one spot is up for a second and a half"() {
      equal([0, 1499, 1500, 4400, 4500, 1e9].map((ms) => paidCount(ms, 3)), [0, 0, 1, 2, 3, 3]);
    },
    "odds are read however they are written"() {
      equal([6, "6", [6, 1], "6:1", "3 to 2", null].map(oddsOf), [
        { gain: 6, stake: 1 }, { gain: 6, stake: 1 }, { gain: 6, stake: 1 }, { gain: 6, stake: 1 }, { gain: 3, stake: 2 }, null,
      ]);
    },
  };
}
