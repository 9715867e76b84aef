/* What a seat costs beside its bets, and what may be won beside the pots: for displays and lobbies. */

import { handName } from "./i18n.js";

/** "jackpot 1,050.50 · high hand: four aces until 18:00". */
function jackpotWords({ meter_minor, leads }, amount, t) {
  const until = leads && new Date(leads.until).toLocaleTimeString(t.language, { hour: "2-digit", minute: "2-digit" });
  return [`${t("jackpot")} ${amount(meter_minor)}`, leads && t("high_hand", { words: handName(leads, t), until })].filter(Boolean).join(" · ");
}

/** "rake 5 % to 3 · jackpot drop 0.50 from 20 · time 6 / 30 min": what a seat costs beside its bets; "" for nothing. */
export function costsWords(table, amount, t) {
  const percent = (points) => `${(points / 100).toLocaleString(t.language)} %`;
  const { rake, drop } = table.stakes ?? {};
  const caps = Object.values(rake?.caps_minor ?? {});
  const fee = table.time_collection;
  return [
    rake?.basis_points > 0 && [t("rake"), percent(rake.basis_points), caps.length > 0 && t("up_to", { amount: amount(Math.max(...caps)) })].filter(Boolean).join(" "),
    drop && [t("drop"), drop.amount_minor > 0 ? amount(drop.amount_minor) : percent(drop.basis_points), drop.from_minor > 0 && t("from_pot", { amount: amount(drop.from_minor) })].filter(Boolean).join(" "),
    table.jackpot && jackpotWords(table.jackpot, amount, t),
    fee && t("time_fee", { amount: amount(fee.amount_minor), n: Math.round(fee.every_s / 60) }),
  ].filter(Boolean).join(" · ");
}
