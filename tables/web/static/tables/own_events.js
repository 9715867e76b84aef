// What the private part of an event adds to the view, for the one seat it was sent to.
//
// A hand is listed as the server lists it: cards that lie face down first, the up-cards after
// them. Actions name cards by these places.

function poker(view, seat, type, facts, own) {
  const player = view.players.find((one) => one.seat === seat);
  if (!player || type === "folded" || type === "hand_shown") return;
  const { up } = player;
  let down = (player.cards ?? []).filter((card) => !up.includes(card));
  if (type === "cards_dealt" && own) down.push(...own.cards.filter((card) => !up.includes(card)));
  if (type === "draw_announced" && own) player.throwing = own.cards;
  if (type === "cards_drawn" && facts.seat === seat) {
    down = down.filter((card) => !player.throwing?.includes(card));
    down.push(...(own?.cards ?? []).filter((card) => !up.includes(card)));
    delete player.throwing;
  }
  if (type === "discarded" && own) down = down.filter((card) => !own.cards.includes(card));
  if (type === "arranged" && own) down = own.cards;
  if (type === "declared" && own) player.declares = own.choice;
  if (type === "cards_passed") {
    delete player.cards; // which ones were given away only a snapshot tells
    return;
  }
  if (player.cards || down.length) player.cards = [...down, ...up];
}

function banked(view, seat, type, _facts, own) {
  if (type !== "cards_dealt" || !own) return;
  for (const [mine, { cards }] of Object.entries(own.seats ?? { [seat]: own })) {
    const spot = view.spots.find((one) => one.seat === Number(mine));
    if (spot) spot.cards = cards;
  }
}

function bluff(view, seat, _type, _facts, own) {
  const player = view.players.find((one) => one.seat === seat);
  if (!player) return;
  if (own?.dice) player.dice = own.dice;
  else if (player.down === 0) delete player.dice;
}

export const OWN_EVENTS = { poker, banked, bluff };
