// What a player may do, as the house lists it, sorted into the places of the action bar.

const MIDDLE = ["check", "call", "bring_in"];
const RAISES = ["bet", "raise", "complete", "double_bet"];
const PICKS = ["draw", "discard", "pass_cards", "arrange", "show"];
const FIELDS = { ...Object.fromEntries(PICKS.map((name) => [name, "cards"])), roll: "dice" };

/**
 * {fold, middle, raises, pick, declare, bid, calls, plain}: each a legal action or null, lists where
 * there can be several. `plain` takes whatever this page does not know better: a button each.
 */
export function sorted(legal) {
  const named = (name) => legal.find((one) => one.name === name) ?? null;
  const call = named("call");
  const calls = call?.calls ? call : null;
  const found = {
    fold: named("fold"),
    middle: calls ? null : legal.find(({ name }) => MIDDLE.includes(name)) ?? null,
    raises: legal.filter((one) => RAISES.includes(one.name) && "least_to_minor" in one),
    pick: legal.find(({ name }) => name in FIELDS) ?? null,
    declare: named("declare"),
    run: named("run_it"),
    bid: named("bid"),
    calls,
  };
  const placed = new Set([found.fold, found.middle, ...found.raises, found.pick, found.declare, found.run, found.bid, calls]);
  return { ...found, plain: legal.filter((one) => !placed.has(one)) };
}

/** Bets and raises of a ring game, and nothing else. */
export const isBetting = (legal) => legal.some(({ name }) => name === "fold" || MIDDLE.includes(name) || RAISES.includes(name)) && !legal.some(({ calls }) => calls);

/** How many of one's own cards or dice an action names, and in which order. */
export function pickOf(choice) {
  if (!choice) return null;
  const { name } = choice;
  return {
    name,
    field: FIELDS[name],
    least: choice.least_cards ?? choice.least ?? 0,
    most: choice.most_cards ?? choice.most ?? choice.of ?? 0,
    isOrdered: name === "arrange",
  };
}

/** Tapping a card: taken, put back, or in place of the one taken first when no more may be. */
export function tapped(picked, place, pick) {
  if (picked.includes(place)) return picked.filter((one) => one !== place);
  const kept = picked.length >= pick.most ? picked.slice(1) : picked;
  return pick.most > 0 ? [...kept, place] : [];
}

export const pickAction = (pick, picked) => ({
  name: pick.name, [pick.field]: pick.isOrdered ? picked : [...picked].sort((a, b) => a - b),
});

/** The lowest quantity of a face that beats the bid that stands. */
export function leastQuantity(bid, face) {
  const { quantity, face: from } = bid.least;
  return face >= from ? quantity : quantity + 1;
}

/** Whether folding gives up what could be had for nothing. */
export const foldsForNothing = (legal) => legal.some(({ name }) => name === "fold") && legal.some(({ name }) => name === "check");
