// Whose spot is whose: a player may have several beside each other, his own seat the first.

const covers = (one, seat) => one.seat <= seat && seat < one.seat + (one.spots ?? 1);

/** The seat whose player plays a spot of the round. */
export const playerSeat = (view, seat) => view?.spots?.find((one) => one.seat === seat)?.player_seat ?? seat;

/** The taken seat whose player has this spot, in the round or between rounds. */
export function sitter(state, view, seat) {
  const dealt = view?.spots?.some((one) => one.seat === seat);
  return state.seats.find((one) => (dealt ? one.seat === playerSeat(view, seat) : covers(one, seat))) ?? null;
}

/** The spots of a seat's player: those of the round he is in, or those he has. */
export function spotsOf(state, view, seat) {
  const dealt = view?.spots?.filter((one) => (one.player_seat ?? one.seat) === seat).map((one) => one.seat) ?? [];
  if (dealt.length) return dealt;
  const { spots = 1 } = state.seats.find((one) => one.seat === seat) ?? {};
  return Array.from({ length: spots }, (_, place) => seat + place);
}

/** Which of one's spots to show: the one looked at, unless another one is asked for a decision. */
export function spotNow(own, waiting, looked) {
  const asked = own.filter((seat) => waiting.includes(seat));
  if (asked.length) return asked.includes(looked) ? looked : asked[0];
  return own.includes(looked) ? looked : own[0] ?? null;
}

/** What may be done at a spot; an action of a player with several names its seat. */
export const legalAt = (legal, seat) => legal.filter((one) => (one.seat ?? seat) === seat);

export const spotsTaken = (seats) => seats.reduce((count, { spots = 1 }) => count + spots, 0);
