// Assertions that run the same under Node and in a browser.

const text = (value) => JSON.stringify(value, (_, one) =>
  one && typeof one === "object" && !Array.isArray(one)
    ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
    : one);

export function equal(found, wanted, about = "") {
  if (text(found) !== text(wanted)) throw new Error(`${about}\n  found  ${text(found)}\n  wanted ${text(wanted)}`);
}

export function ok(found, about) {
  if (!found) throw new Error(about);
}
