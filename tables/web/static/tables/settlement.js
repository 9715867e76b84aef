// How a settled round reads to the dealer: whom to pay, in which order, how much.

export const SPOT_MS = 1500;
export const SETTLING = ["play", "ante_bonus", "ante", "pair_plus", "six_card", "prime", "progressive", "envy"];

/** Names in the order given, what it does not name at the end. */
export function inOrder(names, order) {
  return [...order.filter((name) => names.includes(name)), ...names.filter((name) => !order.includes(name))];
}

/** Wager by wager, in the house's order: the verdict and what moves across the layout. */
export function lines(settled, order = SETTLING) {
  return inOrder(Object.keys(settled.wagers), order).flatMap((name) => {
    const { stake_minor, net_minor, outcome, odds, words } = settled.wagers[name];
    if (stake_minor === 0 && net_minor === 0) return [];
    const verdict = net_minor > 0 ? "pay" : net_minor < 0 ? "take" : "push";
    // A bonus is paid on the ante without a stake of its own.
    const on_minor = stake_minor || (name === "ante_bonus" ? settled.wagers.ante?.stake_minor ?? 0 : 0);
    return [{ name, on_minor, verdict, moves_minor: Math.abs(net_minor), outcome, odds, words }];
  });
}

/** What the dealer pays to a spot and takes from it; both can happen in one round. */
export function totals(settled) {
  const sums = { pay_minor: 0, take_minor: 0, push: false };
  for (const { verdict, moves_minor } of lines(settled)) {
    if (verdict === "pay") sums.pay_minor += moves_minor;
    if (verdict === "take") sums.take_minor += moves_minor;
    if (verdict === "push") sums.push = true;
  }
  return sums;
}

/** Spots in the order they are paid: from the dealer's right, the highest number first, or the other way. */
export function payOrder(spots, seats = "last_first") {
  const order = spots.filter((spot) => spot.settled).map((spot) => spot.seat).sort((a, b) => a - b);
  return seats === "first_first" ? order : order.reverse();
}

/** How many spots are done, `elapsed_ms` after the settlement came in. */
export function paidCount(elapsed_ms, spots) {
  return Math.max(0, Math.min(spots, Math.floor(elapsed_ms / SPOT_MS)));
}

/** "6", 6, [6, 1] and "6:1" all read as six to one. */
export function oddsOf(odds) {
  if (odds === null || odds === undefined || odds === "") return null;
  const [gain, stake = 1] = Array.isArray(odds) ? odds : String(odds).split(/\s*(?::|to|\/)\s*/);
  return { gain: Number(gain), stake: Number(stake) };
}
