// A bet against the house while it is made: chips put down one by one, before it is sent.

export const EMPTY = { wagers: {}, former: [] };

export const sum = (wagers) => Object.values(wagers).reduce((all, minor) => all + minor, 0);

/** What the house takes for the bet: all of it, and what a raise on the ante will need. */
export const needs = (wagers) => sum(wagers) + (wagers.ante ?? 0);

const same = (one, other) => needs(one) === needs(other)
  && [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => (one[name] ?? 0) === (other[name] ?? 0));

export const isSame = same;

const placed = (bet, wagers) => ({ wagers: Object.fromEntries(Object.entries(wagers).filter(([, minor]) => minor > 0)), former: [...bet.former, bet.wagers] });

/**
 * Put one chip on a wager. The first brings at least the least stake; no more than the most lies
 * there. Returns the bet, unchanged when the limits or the stack allow no more.
 */
export function put(bet, name, chip_minor, limits, stack_minor) {
  const limit = limits[name];
  if (!limit) return bet;
  const lies = bet.wagers[name] ?? 0;
  const step = limit.step_minor ?? 1;
  let next = Math.min(limit.most_minor, Math.max(limit.least_minor, lies + chip_minor));
  next -= (next - limit.least_minor) % step;
  const wagers = { ...bet.wagers, [name]: next };
  return next === lies || needs(wagers) > stack_minor ? bet : placed(bet, wagers);
}

export const undo = (bet) => (bet.former.length ? { wagers: bet.former.at(-1), former: bet.former.slice(0, -1) } : bet);

export const clear = (bet) => (needs(bet.wagers) ? placed(bet, {}) : bet);

/** The bet of an earlier round, as far as today's limits and chips allow it. */
export function rebet(bet, earlier, limits, stack_minor) {
  const wagers = Object.fromEntries(Object.entries(earlier).filter(([name, minor]) =>
    limits[name] && minor >= limits[name].least_minor && minor <= limits[name].most_minor));
  return needs(wagers) > stack_minor || !needs(wagers) || same(wagers, bet.wagers) ? bet : placed(bet, wagers);
}

/** Chips to bet with: from the table's smallest step up, five of them. */
export function rack(limits, exponent) {
  const unit = 10 ** exponent;
  const least = Math.min(...Object.values(limits).map(({ step_minor = 1 }) => step_minor));
  const values = [1, 5, 25, 100, 500, 1000].map((value) => value * unit).filter((minor) => minor >= least && minor % least === 0);
  return values.slice(0, 5);
}
