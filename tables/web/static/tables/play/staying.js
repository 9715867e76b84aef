// Keeping a seat: what is owed before the next hand, blinds put in by themselves, sitting out later.

import { html, useEffect, useState } from "../../vendor/preact-htm.js";

const LOOK_MS = 4000;

/** What a seat's dues come to: a missed big blind live, a small one dead. */
export function dues_minor(owes, stakes) {
  const { big_blind_minor: big = 0, small_blind_minor: small = Math.floor(big / 2) } = stakes ?? {};
  return (owes.includes("big") ? big : 0) + (owes.includes("small") ? small : 0);
}

/** Between the felt and the actions, for who is at the table but waits for his blind. */
export function Owing({ seat, choices, stakes, choose, t, amount }) {
  const sum = amount(dues_minor(seat.owes, stakes));
  const posts = choices?.posts;
  return html`<div class="act resting" data-owes=${seat.owes.join(" ")}><p><b>${t(posts ? "posts_next" : "waits_big")}</b> <span class="soft">${t(posts ? "posts_words" : "waits_words", { amount: sum })}</span></p>
    <button type="button" class="btn main" data-move=${posts ? "wait" : "post"} onClick=${() => choose({ posts: !posts })}>${posts ? t("wait_instead") : t("post_now", { amount: sum })}</button></div>`;
}

const Switch = ({ on, set, words }) => html`<button type="button" class="btn" role="switch" aria-checked=${String(on)} onClick=${() => set(!on)}>${words}</button>`;

/** The seat's own settings, in the table's menu. */
export function Staying({ seat, choices, stakes, hasBlinds, inHand, most_minor, choose, sitOut, t }) {
  if (!choices) return null;
  const { auto_post, agrees_to_blind, sits_out_at } = choices;
  const playing = seat.status === "playing";
  return html`
    ${seat.time_bank_ms > 0 && html`<p class="soft">${t("bank_left", { s: Math.round(seat.time_bank_ms / 1000) })}</p>`}
    ${hasBlinds && html`<${Switch} on=${auto_post} set=${(on) => choose({ auto_post: on })} words=${t("auto_post")} />`}
    ${hasBlinds && !auto_post && html`<${Switch} on=${agrees_to_blind} set=${(on) => choose({ agrees_to_blind: on })} words=${t("agree_blind")} />`}
    ${stakes?.straddle && html`<${Switch} on=${choices.straddles} set=${(on) => choose({ straddles: on })} words=${t("straddle_next")} />`}
    ${stakes?.bomb_pot && html`<${Switch} on=${choices.wants_bomb_pot} set=${(on) => choose({ wants_bomb_pot: on })} words=${t("bomb_wish")} />`}
    ${playing && inHand && html`<${Switch} on=${choices.tops_up_to_minor !== null} set=${(on) => choose({ tops_up_to_minor: on ? most_minor : null })} words=${t("top_up_after")} />`}
    ${playing && inHand && html`<button type="button" class="btn" aria-pressed=${String(sits_out_at === "hand")} onClick=${() => sitOut("hand")}>${t("sit_out_hand")}</button>`}
    ${playing && hasBlinds && html`<button type="button" class="btn" aria-pressed=${String(sits_out_at === "big_blind")} onClick=${() => sitOut("big_blind")}>${t("sit_out_big")}</button>`}`;
}

/** The lists this player stands on, looked at again and again while he waits or might. */
export function useLists(client, id, isOn) {
  const [lists, setLists] = useState([]);
  const look = () => client.waiting().then(({ lists: found }) => setLists(found), () => {});
  const isWaiting = lists.length > 0;
  useEffect(() => {
    if (!isOn && !isWaiting) return undefined;
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [id, isOn, isWaiting]);
  const doing = (ask) => () => ask().then(look, look);
  return { lists, id, join: doing(() => client.joinList(id)), leave: doing(() => client.leaveList(id)) };
}

/** At a full table: wait, see the place on the list, take the seat one is called to. */
export function Queue({ lists: { lists, id, join, leave }, full, onSit, t }) {
  const called = lists.map((one) => one.called).find((call) => call?.table === id);
  const [waits] = lists.filter((one) => one.place !== null);
  if (called) return html`<button type="button" class="btn main" data-move="called" onClick=${() => onSit(called.seat)}>${t("called_to", { n: called.seat })}</button>`;
  if (!full) return null;
  if (!waits) return html`<button type="button" class="btn main" data-move="join-list" onClick=${join}>${t("join_list")}</button>`;
  return html`<p role="status"><b>${t("list_place", { n: waits.place })}</b></p><button type="button" class="btn" data-move="leave-list" onClick=${leave}>${t("leave_list")}</button>`;
}
