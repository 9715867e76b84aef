// Why a pot goes where it goes, in one line: the hand, and the card that decided where one did.

import { NAMED_BY, handBrief } from "./hand_names.js";
import { listed } from "./parts.js";

/** Which half of a shown hand a share goes by: where a game has one only, that. */
export const halfOf = ({ share }, sides) => (share === "low" || (share !== "high" && !sides?.high) ? "low" : "high");

/** The side of a shown hand that a share is won by, on the share's own board. */
export function sideOf(view, seat, award) {
  const shown = view.shown?.[seat];
  const sides = shown?.boards?.[(award.board_no ?? 1) - 1] ?? shown;
  return sides?.[halfOf(award, sides)];
}

/**
 * The rank that decided a share between hands of one class: of the winner's, the first in which
 * the best of the others differs. Null where the class decided, or it was split.
 */
export function decider(view, award) {
  const winners = Object.keys(award.winners);
  const best = winners.length === 1 && sideOf(view, winners[0], award);
  const named = best && NAMED_BY[best.class];
  if (!named || !best.ranks) return null;
  const others = award.eligible.filter((seat) => String(seat) !== winners[0]).map((seat) => sideOf(view, seat, award))
    .filter((side) => side?.class === best.class && side.ranks);
  const ranks = [...best.ranks];
  const differs = (side) => ranks.findIndex((rank, place) => rank !== side.ranks[place]);
  const places = others.map(differs).filter((place) => place >= 0);
  const place = places.length ? Math.max(...places) : -1;
  return place >= named ? ranks[place] : null;
}

/** "Pair of aces, king kicker decides", "split between seats 2 and 3: Two pair, aces and sevens", "everybody else has folded". named: the seats stand beside it. */
export function reasonFor(view, award, t, named = false) {
  const winners = Object.keys(award.winners);
  const side = sideOf(view, winners[0], award);
  if (!side) return award.words && t.language === "en" && view.shown?.[winners[0]] ? award.words : t("others_folded");
  if (winners.length > 1 && !named) return `${t("tied_seats", { seats: listed(winners, t) })}: ${handBrief(side, t)}`;
  const rank = decider(view, award); // none where it is tied
  return rank ? `${handBrief(side, t)}, ${t("kicker_decides", { rank: t(`rank_${rank}`).toLowerCase() })}` : handBrief(side, t);
}
