// What a player has decided before it is his turn. It lives on this page alone and is sent as any
// action, with the turn it is for, once that turn has come.

import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { isTyping, useKeys } from "./ui.js";

export const CHECK_FOLD = "check_fold";
export const CHECK = "check";
export const CALL = "call";
export const CALL_ANY = "call_any";

const KEYS = { f: [CHECK_FOLD], c: [CHECK, CALL], a: [CALL_ANY] };

/** What this round costs to stay in, whoever pays it. */
const priceOf = (view) => Math.max(0, ...view.players.map(({ bet_minor }) => bet_minor ?? 0));

/**
 * What may be decided ahead: [{kind, amount_minor}], [] while it is one's own turn or there is
 * nothing to decide. me: the own player of the view.
 */
export function aheadOf(view, me) {
  if (!view || !me || view.family !== "poker" || view.over || view.window !== "turn") return [];
  if (me.status !== "live" || !me.stack_minor || view.waiting.includes(me.seat)) return [];
  const amount_minor = Math.min(priceOf(view) - (me.bet_minor ?? 0), me.stack_minor);
  const now = amount_minor > 0 ? { kind: CALL, amount_minor } : { kind: CHECK, amount_minor: 0 };
  return [{ kind: CHECK_FOLD, amount_minor: 0 }, now, { kind: CALL_ANY, amount_minor: 0 }];
}

/** A decision, and what it was made for: another hand, street or (where it names one) price ends it. */
export function planned(kind, hand, view) {
  return { kind, hand_id: hand.id, street: view.street, price_minor: priceOf(view) };
}

export function stands(plan, hand, view) {
  if (!plan || !hand || !view || plan.hand_id !== hand.id || plan.street !== view.street) return false;
  const namesPrice = plan.kind === CHECK || plan.kind === CALL;
  return !namesPrice || plan.price_minor === priceOf(view);
}

/** The action a decision comes to among what is legal now; null if it comes to none. */
export function actionAhead(plan, legal) {
  const has = (name) => legal.some((one) => one.name === name);
  const first = {
    [CHECK_FOLD]: ["check", "fold"], [CHECK]: ["check"], [CALL]: ["call"], [CALL_ANY]: ["check", "call"],
  }[plan.kind].find(has);
  return first ? { name: first } : null;
}

/** Three switches where the amounts stand at one's turn; the one that is on acts when it comes. */
export function Ahead({ table, me, busy, waits, act, t, amount }) {
  const { hand } = table.state;
  const view = hand?.view;
  const { legal } = table;
  const [plan, setPlan] = useState(null);
  const holds = stands(plan, hand, view);
  const offers = aheadOf(view, me);
  const shown = offers.length ? offers : [{ kind: CHECK_FOLD }, { kind: CHECK }, { kind: CALL_ANY }];
  const turn_id = legal.length ? hand?.turn?.turn_id ?? null : null;
  useEffect(() => {
    if (plan && !holds) setPlan(null);
    else if (plan && turn_id !== null) {
      const action = busy ? null : actionAhead(plan, legal);
      setPlan(null);
      if (action) act(action);
    }
  }, [turn_id, holds]);
  const toggle = (kind) => setPlan(holds && plan.kind === kind ? null : planned(kind, hand, view));
  useKeys((event) => {
    const kinds = isTyping(event) || !offers.length ? null : KEYS[event.key.toLowerCase()];
    const offer = kinds && offers.find(({ kind }) => kinds.includes(kind));
    if (!offer) return;
    toggle(offer.kind);
    event.preventDefault();
  });
  return waits && html`<div class="presets p3" role="group" aria-label=${t("ahead_label")}>${shown.map(({ kind, amount_minor }) => html`
    <button type="button" key=${kind} class="btn" data-ahead=${kind} disabled=${!offers.length} aria-pressed=${String(holds && plan.kind === kind)} onClick=${() => toggle(kind)}>
      ${t(`ahead_${kind}`, { amount: amount(amount_minor ?? 0) })}<small>${t("ahead_small")}</small></button>`)}</div>`;
}
