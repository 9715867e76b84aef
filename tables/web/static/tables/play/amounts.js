// Amounts a player may name: read from text, cut to what is legal, offered as presets.

/** "4.2", 2 -> 420; null for what is no amount. No float touches it. */
export function readAmount(text, exponent = 0) {
  const found = /^(\d{1,12})(?:[.,](\d*))?$/.exec(String(text).replace(/[\s\u00a0']/g, ""));
  if (!found) return null;
  const [, whole, fraction = ""] = found;
  if (fraction.length > exponent) return null;
  return Number(whole) * 10 ** exponent + Number(fraction.padEnd(exponent, "0") || 0);
}

/** Minor units as a text field shows them: no groups, a point where there is a fraction. */
export function typedAmount(minor, exponent = 0) {
  const digits = String(minor).padStart(exponent + 1, "0");
  const fraction = exponent ? digits.slice(-exponent) : "";
  const whole = digits.slice(0, digits.length - exponent);
  return /[1-9]/.test(fraction) ? `${whole}.${fraction}` : whole;
}

/** The nearest legal amount: within the range, and in whole chips unless it is an end of it. */
export function cut(minor, { least_minor, most_minor, step_minor = 1 }) {
  if (minor >= most_minor) return most_minor;
  if (minor <= least_minor) return least_minor;
  return Math.max(least_minor, minor - (minor % step_minor));
}

export const rangeOf = ({ least_to_minor, most_to_minor }, step_minor = 1) => ({
  least_minor: least_to_minor, most_minor: most_to_minor, step_minor,
});

const FRACTIONS = [["half", 1, 2], ["two_thirds", 2, 3], ["pot", 1, 1]];

/**
 * Five amounts to raise to: least, half, two thirds and the whole pot, and the most.
 *
 * A raise by the pot is a call and then as much again as the pot holds with that call in it.
 */
export function presets(raise, { pot_minor, call_minor, bet_minor, stack_minor, chip_minor }) {
  const range = rangeOf(raise, chip_minor);
  const called = bet_minor + (call_minor ?? 0);
  const middle = FRACTIONS.map(([name, over, under]) => {
    const to_minor = called + Math.floor(((pot_minor + (call_minor ?? 0)) * over) / under);
    return { name, to_minor: cut(to_minor, range) };
  });
  const isAllIn = range.most_minor >= bet_minor + stack_minor;
  return [{ name: "least", to_minor: range.least_minor }, ...middle, { name: isAllIn ? "all_in" : "most", to_minor: range.most_minor }];
}
