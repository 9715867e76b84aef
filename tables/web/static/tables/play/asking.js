// What is asked of the reader, in one sentence for who does not see the action bar.

import { cardName } from "../cards.js";
import { pickOf, sorted } from "./choices.js";

const wordsOf = (one, t, amount) => {
  const name = t.has(`act_${one.name}`) ? t(`act_${one.name}`, { n: one.most_cards ?? 0 }) : one.name.replaceAll("_", " ");
  if (one.amount_minor) return `${name} ${amount(one.amount_minor)}`;
  if (one.least_to_minor === undefined) return name;
  return one.least_to_minor === one.most_to_minor ? `${name} ${amount(one.least_to_minor)}` : `${name} ${amount(one.least_to_minor)}–${amount(one.most_to_minor)}`;
};

/** "Your turn: Fold, Call 200, Raise to 400–9,600". Empty until it is known what is legal. */
export function asksWords(legal, view, me, t, amount) {
  if (!legal.length) return "";
  if (view?.window === "betting") return t("place_bets");
  const { pick, declare, run, bid } = sorted(legal);
  const asked = [];
  if (me?.offered) asked.push(t("offered_words", { card: cardName(me.offered, t) }));
  if (pick) asked.push(pick.name === "show" ? t("show_words") : t(`pick_${pick.name}`, { n: pickOf(pick).most }));
  else if (declare) asked.push(t("declare_words"));
  else if (run) asked.push(t("run_words"));
  else if (bid) asked.push(`${t("act_bid")} ${bid.least.quantity} × ${t(`die_${bid.least.face}`)}`);
  const others = legal.filter((one) => ![pick, declare, run, bid].includes(one) && one.name !== "forfeit");
  return `${t("your_turn")}: ${[...asked, ...others.map((one) => wordsOf(one, t, amount))].join(", ")}`;
}
