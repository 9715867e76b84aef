// The dealer's console: the bar below the table with what its dealer does, and his signing on.
//
// Nothing is shown as done before the table's own events say so. What cannot be taken back asks
// for a second tap.

import { html, useEffect, useState } from "../vendor/preact-htm.js";

const ARMED_MS = 4000;
const REASONS = ["help", "dispute", "chips"];
const PIN_DIGITS = 6;

/** Which deeds are possible now, in their fixed places; what is not possible is disabled there. */
export function deedsNow({ state, stale }) {
  const { dealer, hand, last_hand: last } = state;
  const works = Boolean(dealer) && !dealer.break_since && !stale;
  const betting = hand?.view?.family === "banked" && hand.turn?.window === "betting";
  const owed = last && !last.voided && last.id !== dealer?.confirmed_hand;
  return {
    close_bets: works && betting ? { deed: "close_bets", turn_id: hand.turn.turn_id } : null,
    confirm: works && owed ? { deed: "confirm", hand_id: last.id } : null,
    void_ask: works && hand && !(state.floor_calls ?? []).some(({ why }) => why === "void") ? { deed: "call", why: "void" } : null,
    call: stale ? null : {},
    break: works ? { deed: "break" } : null,
    sign_off: dealer && !stale ? { deed: "sign_off" } : null,
  };
}

/** Why the house refuses, in words. */
export function refusal(problem, t) {
  const key = `no_${problem.code}`;
  if (t.has(key)) return t(key, { ...problem, n: Math.ceil((problem.retry_after_s ?? 60) / 60) });
  return t("no_other", { code: problem.code });
}

/** Sends a deed; resolves to null, or to the problem. */
export async function send(url, deed, world = globalThis) {
  const crumb = /(?:^|; )csrftoken=([^;]+)/.exec(world.document?.cookie ?? "");
  try {
    const answer = await world.fetch(url, {
      method: "POST", credentials: "same-origin", body: JSON.stringify(deed),
      headers: { "Content-Type": "application/json", ...(crumb ? { "X-CSRFToken": decodeURIComponent(crumb[1]) } : {}) },
    });
    return answer.ok ? null : await answer.json();
  } catch {
    return { code: "lost" };
  }
}

function Deed({ name, ready, words, armed, onTap }) {
  return html`<button type="button" class=${`deed-key ${armed ? "armed" : ""}`} disabled=${!ready} onClick=${() => onTap(name)}>${words}</button>`;
}

function Pad({ onDigit, onBack, onEnter, t }) {
  return html`<div class="keypad">
    ${"123456789".split("").map((digit) => html`<button type="button" onClick=${() => onDigit(digit)}>${digit}</button>`)}
    <button type="button" aria-label=${t("erase")} onClick=${onBack}>⌫</button>
    <button type="button" onClick=${() => onDigit("0")}>0</button>
    <button type="button" class="go" aria-label=${t("enter")} onClick=${onEnter}>✓</button>
  </div>`;
}

function SignOn({ url, post, onClose, t }) {
  const [known, setKnown] = useState(null);
  const [chosen, setChosen] = useState(null);
  const [pin, setPin] = useState("");
  const [said, setSaid] = useState("");
  useEffect(() => {
    fetch(url, { credentials: "same-origin" })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)))))
      .then(({ dealers }) => setKnown(dealers), () => setSaid(t("no_lost")));
  }, []);
  const enter = async () => {
    const problem = await post({ deed: "sign_on", dealer_id: chosen.id, pin });
    setPin("");
    if (problem) setSaid(refusal(problem, t));
    else onClose();
  };
  const digit = (one) => { setSaid(""); setPin((typed) => (typed + one).slice(0, PIN_DIGITS)); };
  return html`<section class="sheet signing" role="dialog" aria-modal="true" aria-label=${t("sign_on")}>
    ${chosen ? html`<h2>${t("your_pin", { name: chosen.name })}</h2>
      <p class="code" role="status" aria-label=${`${pin.length} / ${PIN_DIGITS}`}>${"●".repeat(pin.length)}${"○".repeat(PIN_DIGITS - pin.length)}</p>
      <p class="said" role="alert">${said}</p>
      <${Pad} t=${t} onDigit=${digit} onBack=${() => setPin((typed) => typed.slice(0, -1))} onEnter=${enter} />`
    : html`<h2>${t("who")}</h2><p class="said" role="alert">${said}</p>
      <div class="names">${known?.map((one) => html`<button key=${one.id} type="button" onClick=${() => setChosen(one)}>${one.name}</button>`)}</div>
      ${known?.length === 0 && html`<p class="soft">${t("nobody_known")}</p>`}`}
    <button type="button" class="quiet" onClick=${onClose}>${t("cancel")}</button>
  </section>`;
}

function Calls({ post, onClose, t }) {
  return html`<section class="sheet" role="dialog" aria-modal="true" aria-label=${t("call_for")}>
    <h2>${t("call_for")}</h2>
    <div class="names">${REASONS.map((why) => html`<button key=${why} type="button" onClick=${() => post({ deed: "call", why }).then(onClose)}>${t(`why_${why}`)}</button>`)}</div>
    <button type="button" class="quiet" onClick=${onClose}>${t("cancel")}</button>
  </section>`;
}

export function Console({ state, stale, url, t }) {
  const [open, setOpen] = useState("");
  const [armed, setArmed] = useState(null);
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!armed) return undefined;
    const timer = setTimeout(() => setArmed(null), ARMED_MS);
    return () => clearTimeout(timer);
  }, [armed]);
  const post = async (deed) => {
    if (busy) return null; // a second tap while the first is on its way
    setBusy(true);
    setSaid("");
    const problem = await send(url, deed);
    setBusy(false);
    if (problem) setSaid(refusal(problem, t));
    return problem;
  };
  const now = deedsNow({ state, stale });
  const { dealer } = state;
  const tap = (name) => {
    if (name === "sign_on" || name === "call") return setOpen(name);
    // What was armed is what is done: not what has become possible meanwhile.
    if (armed?.name !== name) return setArmed({ name, deed: now[name] });
    setArmed(null);
    return post(armed.deed);
  };
  const key = (name, words = t(name)) => html`<${Deed} name=${name} ready=${Boolean(now[name]) && !busy} armed=${armed?.name === name}
    words=${armed?.name === name ? t("again", { what: words }) : words} onTap=${tap} />`;
  const signs = dealer?.break_since ? "back" : dealer ? "relieve" : "sign_on";
  return html`<footer class="bar" aria-label=${t("bar_label")}>
    <p class="bar-who">${dealer ? t(dealer.break_since ? "dealer_break" : "dealer", { name: dealer.name }) : t("no_dealer")}
      <small role="alert">${said}</small></p>
    ${state.table.family === "banked" && key("close_bets")}
    ${key("confirm", state.last_hand && dealer?.confirmed_hand === state.last_hand.id ? t("confirmed") : t("confirm"))}
    ${key("call")}${key("void_ask")}
    <${Deed} name="sign_on" ready=${!stale && !busy} words=${t(signs)} onTap=${tap} />
    ${key("break")}${key("sign_off")}
    ${open === "sign_on" && html`<${SignOn} url=${url} post=${post} onClose=${() => setOpen("")} t=${t} />`}
    ${open === "call" && html`<${Calls} post=${post} onClose=${() => setOpen("")} t=${t} />`}
  </footer>`;
}
