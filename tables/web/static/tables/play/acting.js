// The action bar of ring games and dice: what the house lists as legal, each in its fixed place.

import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { Die } from "../bluff.js";
import { cardName } from "../cards.js";
import { Ahead } from "./ahead.js";
import { cut, presets, rangeOf, readAmount, typedAmount } from "./amounts.js";
import { foldsForNothing, isBetting, leastQuantity, pickAction, sorted } from "./choices.js";
import { chime } from "./sound.js";
import { Dialog, isTyping, useKeys } from "./ui.js";

const BAR = 1000;
const FACES = [1, 2, 3, 4, 5, 6];

/** Seconds left with a bar that runs out, and what happens then. */
export function Time({ time, words, then, t }) {
  const left = time ? Math.round((time.left_s / time.whole_s) * BAR) : 0;
  const s = time ? Math.ceil(time.left_s) : null;
  return html`<p class=${`time ${s === null ? "idle" : s <= 5 ? "short" : ""}`}><b>${words}</b>
    <svg viewBox=${`0 0 ${BAR} 10`} preserveAspectRatio="none" aria-hidden="true"><rect width=${left} height="10" /></svg>
    <span class="soft" role="timer">${time ? t("time_left", { s }) : ""}${time && then ? html`<small>, ${then}</small>` : ""}</span></p>`;
}

/** What silence will mean, as far as this page can tell. */
export function defaultWords(legal, window, t) {
  const has = (name) => legal.some((one) => one.name === name);
  if (window === "betting") return t("then_closed");
  if (has("run_it")) return t("then_once");
  if (has("muck")) return t("then_muck");
  if (has("check")) return t("then_check");
  if (has("stand_pat")) return t("then_stand");
  return has("fold") ? t("then_fold") : legal.length ? t("then_default") : "";
}

function Move({ choice, name, words, small, hot, main, busy, onClick }) {
  return html`<button type="button" class=${`btn ${main ? "main" : ""}`} data-move=${name} disabled=${!choice || busy} onClick=${onClick}
    aria-keyshortcuts=${hot?.toLowerCase()}><span>${words}${hot && html`<kbd aria-hidden="true">${hot}</kbd>`}</span>${small && html`<small>${small}</small>`}</button>`;
}

/** Fold, check or call, bet or raise: always there, disabled when they are not to be had. */
function Betting({ table, legal, me, busy, waits, act, t, amount }) {
  const { table: placard, hand } = table.state;
  const { exponent = 0, chip_minor = 1 } = placard;
  const { fold, middle, raises, plain } = sorted(legal);
  const [raise] = raises;
  const turn_id = hand?.turn?.turn_id ?? 0;
  const range = raise ? rangeOf(raise, chip_minor) : null;
  const [size, setSize] = useState({ turn_id: null, to_minor: null, text: null, note: "" });
  const [folding, setFolding] = useState(false);
  const current = size.turn_id === turn_id ? size : { turn_id, to_minor: null, text: null, note: "" };
  const to_minor = range ? cut(current.to_minor ?? range.least_minor, range) : null;
  const isFixed = range && range.least_minor === range.most_minor;
  const offers = raise ? presets(raise, { pot_minor: hand.view.pot_minor, call_minor: hand.view.call_minor ?? 0, bet_minor: me.bet_minor, stack_minor: me.stack_minor, chip_minor }) : [];
  const choose = (minor, more = {}) => setSize({ turn_id, to_minor: minor, text: null, note: "", ...more });
  const typed = (text) => {
    const minor = readAmount(text, exponent);
    if (minor === null) return choose(to_minor, { text, note: text ? t("no_amount") : "" });
    return choose(cut(minor, range), { text });
  };
  // What was typed beyond the limits is set back where everybody can see it.
  const settle = () => {
    if (current.text === null || !range) return to_minor;
    const minor = readAmount(current.text, exponent);
    const next = minor === null ? to_minor : cut(minor, range);
    choose(next, { note: minor === next ? "" : t("cut_to", { least: amount(range.least_minor), most: amount(range.most_minor), amount: amount(next) }) });
    return next;
  };
  const doRaise = () => {
    if (!raise || busy) return;
    const outside = current.text !== null && readAmount(current.text, exponent) !== to_minor;
    const next = settle();
    if (!outside) act({ name: raise.name, to_minor: next });
  };
  const doFold = () => {
    if (!fold || busy) return;
    if (foldsForNothing(legal)) setFolding(true);
    else act({ name: "fold" });
  };
  const doMiddle = () => middle && !busy && act({ name: middle.name });
  useEffect(() => setFolding(false), [turn_id]);
  useKeys((event) => {
    if (isTyping(event) || !legal.length) return;
    const key = event.key.toLowerCase();
    const run = { f: doFold, c: doMiddle, r: doRaise }[key];
    const offer = offers[Number(key) - 1];
    if (run) run();
    else if (offer && !isFixed) choose(offer.to_minor);
    else if (key === "enter" && current.to_minor !== null && !event.target.closest?.("button, a, summary")) doRaise();
    else return;
    event.preventDefault();
  });
  const middleWords = !middle || middle.name === "check" ? t("act_check") : middle.name === "call" ? `${t("act_call")} ${amount(middle.amount_minor)}` : `${t(`act_${middle.name}`)} ${amount(middle.amount_minor ?? 0)}`;
  const raiseWords = raise ? `${t(`act_${raise.name}`)} ${amount(to_minor)}` : t("act_bet");
  const allIn = raise && to_minor >= me.bet_minor + me.stack_minor;
  const off = !range || isFixed || busy;
  return html`
    ${!waits && html`<div class="presets" role="group" aria-label=${t("size_label")}>${(offers.length ? offers : ["least", "half", "two_thirds", "pot", "all_in"].map((name) => ({ name, to_minor: null }))).map((offer, place) => html`
      <button type="button" key=${place} class="btn" disabled=${off} aria-pressed=${String(!off && current.to_minor !== null && to_minor === offer.to_minor)} onClick=${() => choose(offer.to_minor)}>
        ${offer.to_minor === null ? "–" : amount(offer.to_minor)}<small>${t(`preset_${offer.name}`)}<kbd aria-hidden="true">${place + 1}</kbd></small></button>`)}</div>`}
    <div class="size">
      <button type="button" class="btn" disabled=${off} aria-label=${t("size_less", { amount: amount(chip_minor) })} onClick=${() => choose(cut(to_minor - chip_minor, range))}>−</button>
      <input type="range" disabled=${off} aria-label=${t("size_label")} aria-valuetext=${to_minor === null ? null : amount(to_minor)} min=${range?.least_minor ?? 0} max=${range?.most_minor ?? 1} step="1"
        value=${to_minor ?? 0} onInput=${(event) => choose(cut(Number(event.currentTarget.value), range))} />
      <button type="button" class="btn" disabled=${off} aria-label=${t("size_more", { amount: amount(chip_minor) })} onClick=${() => choose(cut(to_minor + chip_minor, range))}>+</button>
      <input class="amount" type="text" inputmode="decimal" disabled=${off} aria-label=${t("size_exact")} value=${current.text ?? (to_minor === null ? "" : typedAmount(to_minor, exponent))}
        onInput=${(event) => typed(event.currentTarget.value)} onBlur=${settle} onFocus=${(event) => event.currentTarget.select()}
        onKeyDown=${(event) => event.key === "Enter" && (event.preventDefault(), doRaise())} />
      <p class="note" role="alert">${current.note}</p>
    </div>
    <div class=${`moves m${raises.length > 1 ? 4 : 3}`}>
      <${Move} choice=${fold} name="fold" words=${t("act_fold")} hot="F" busy=${busy} onClick=${doFold} />
      <${Move} choice=${middle} name=${middle?.name ?? "check"} words=${middleWords} hot="C" busy=${busy} small=${middle?.amount_minor >= me?.stack_minor && t("all_of_it")} onClick=${doMiddle} />
      <${Move} choice=${raise} name=${raise?.name ?? "bet"} words=${raiseWords} hot="R" main=${Boolean(raise)} busy=${busy} onClick=${doRaise}
        small=${raise?.openers ? t("needs_openers", { openers: raise.openers }) : allIn ? t("all_of_it") : raise && t("of_your", { amount: amount(to_minor - me.bet_minor), stack: amount(me.stack_minor) })} />
      ${raises.slice(1).map((more) => html`<${Move} choice=${more} name=${more.name} words=${`${t(`act_${more.name}`)} ${amount(more.least_to_minor)}`} busy=${busy} onClick=${() => act({ name: more.name, to_minor: more.least_to_minor })} />`)}
      ${plain.map((one) => html`<${Plain} key=${one.name} one=${one} busy=${busy} act=${act} t=${t} />`)}
    </div>
    ${folding && html`<${Dialog} title=${t("fold_title")} onClose=${() => setFolding(false)} t=${t}>
      <p>${t("fold_words")}</p>
      <div class="answers"><button type="button" class="btn" onClick=${() => { setFolding(false); act({ name: "fold" }); }}>${t("fold_yes")}</button>
        <button type="button" class="btn main" autofocus onClick=${() => { setFolding(false); act({ name: "check" }); }}>${t("check_instead")}</button></div>
    </${Dialog}>`}`;
}

/** A choice without anything to set: its name is the action. */
function Plain({ one, busy, act, t, main = false }) {
  const words = t.has(`act_${one.name}`) ? t(`act_${one.name}`) : one.name.replaceAll("_", " ");
  return html`<button type="button" class=${`btn ${main ? "main" : ""}`} data-move=${one.name} disabled=${busy} onClick=${() => act({ name: one.name })}>${words}</button>`;
}

/** Cards or dice to choose: they are tapped where they lie, and sent from here. */
function Picking({ pick, picked, plain, busy, act, t }) {
  const n = picked.length;
  const none = n === 0 && pick.least === 0;
  const words = t(none && t.has(`act_${pick.name}_none`) ? `act_${pick.name}_none` : `act_${pick.name}`, { n });
  // With nothing chosen standing pat is the button beside it.
  const idle = n < pick.least || n > pick.most || (none && plain.some(({ name }) => name === "stand_pat"));
  return html`<p class="ask">${t(`pick_${pick.name}`, { n: pick.most })} <small class="soft">${t("picked_n", { n, m: pick.most })}</small></p>
    <div class="moves m2">${plain.map((one) => html`<${Plain} key=${one.name} one=${one} busy=${busy} act=${act} t=${t} />`)}
      <button type="button" class="btn main" data-move=${pick.name} disabled=${busy || idle} onClick=${() => act(pickAction(pick, picked))}>${words}</button></div>`;
}

function Declaring({ declare, busy, act, t }) {
  return html`<p class="ask">${t("declare_words")}</p><div class="moves m3">${declare.options.map((choice) => html`
    <button type="button" key=${choice} class="btn" data-move=${`declare-${choice}`} disabled=${busy} onClick=${() => act({ name: "declare", choice })}>${t.has(`side_${choice}`) ? t(`side_${choice}`) : choice}</button>`)}</div>`;
}

/** Whether a hand that nobody must see is shown: all of it, the cards tapped, or nothing. */
function Showing({ pick, picked, of, busy, act, t }) {
  const all = Array.from({ length: of }, (_, place) => place);
  const show = () => !busy && act({ name: "show", cards: picked.length ? [...picked].sort((a, b) => a - b) : all });
  const muck = () => !busy && act({ name: "muck" });
  useKeys((event) => {
    const run = isTyping(event) ? null : { m: muck, s: show }[event.key.toLowerCase()];
    if (!run) return;
    run();
    event.preventDefault();
  });
  const words = picked.length && picked.length < of ? t(`act_${pick.name}`, { n: picked.length }) : t("act_show_all");
  return html`<p class="ask">${t("show_words")}</p><div class="moves m2">
    <button type="button" class="btn" data-move="muck" disabled=${busy} aria-keyshortcuts="m" onClick=${muck}><span>${t("act_muck")}<kbd aria-hidden="true">M</kbd></span></button>
    <button type="button" class="btn main" data-move="show" disabled=${busy} aria-keyshortcuts="s" onClick=${show}><span>${words}<kbd aria-hidden="true">S</kbd></span></button></div>`;
}

/** How often the rest of the board is dealt: a button and a digit each. */
function RunIt({ run, busy, act, t }) {
  const say = (choice) => !busy && act({ name: "run_it", choice });
  useKeys((event) => {
    const choice = Number(event.key);
    if (isTyping(event) || !run.options.includes(choice)) return;
    say(choice);
    event.preventDefault();
  });
  return html`<p class="ask">${t("run_words")}</p><div class=${`moves m${run.options.length}`}>${run.options.map((choice) => html`
    <button type="button" key=${choice} class="btn" data-move=${`run-${choice}`} disabled=${busy} aria-keyshortcuts=${choice} onClick=${() => say(choice)}>${t(`act_run_${choice}`)}<kbd aria-hidden="true">${choice}</kbd></button>`)}</div>`;
}

function Bidding({ bid, plain, busy, act, t }) {
  const [chosen, setChosen] = useState({ quantity: bid.least.quantity, face: bid.least.face });
  useEffect(() => setChosen({ quantity: bid.least.quantity, face: bid.least.face }), [bid.least.quantity, bid.least.face]);
  const least = leastQuantity(bid, chosen.face);
  const quantity = Math.min(bid.most_quantity, Math.max(least, chosen.quantity));
  const canFace = (face) => leastQuantity(bid, face) <= bid.most_quantity;
  return html`<p class="ask">${t("bid_words")}</p>
    <div class="bidding">
      <div class="steps" role="group" aria-label=${t("quantity")}><button type="button" class="btn" disabled=${busy || quantity <= least} aria-label=${t("one_less")} onClick=${() => setChosen({ ...chosen, quantity: quantity - 1 })}>−</button>
        <b aria-live="polite">${quantity} ×</b><button type="button" class="btn" disabled=${busy || quantity >= bid.most_quantity} aria-label=${t("one_more")} onClick=${() => setChosen({ ...chosen, quantity: quantity + 1 })}>+</button></div>
      <div class="faces" role="group" aria-label=${t("face")}>${FACES.map((face) => html`<button type="button" key=${face} class="btn" disabled=${busy || !canFace(face)} aria-pressed=${String(chosen.face === face)} aria-label=${t(`die_${face}`)} onClick=${() => setChosen({ quantity, face })}><${Die} face=${face} t=${t} /></button>`)}</div>
    </div>
    <div class="moves m2">${plain.map((one) => html`<${Plain} key=${one.name} one=${one} busy=${busy} act=${act} t=${t} />`)}
      <button type="button" class="btn main" data-move="bid" disabled=${busy} onClick=${() => act({ name: "bid", quantity, face: chosen.face })}>${t("act_bid")} ${quantity} × ${t(`die_${chosen.face}`)}</button></div>`;
}

function Calling({ calls, plain, busy, act, t }) {
  const [place, setPlace] = useState(0);
  useEffect(() => setPlace(0), [calls.calls.length]);
  const chosen = calls.calls[Math.min(place, calls.calls.length - 1)];
  return html`<label class="ask wide">${t("call_words")} <select value=${place} onChange=${(event) => setPlace(Number(event.currentTarget.value))}>${calls.calls.map((one, nth) => html`<option value=${nth}>${one.words ?? `${one.class} ${one.faces}`}</option>`)}</select></label>
    <div class="moves m2">${plain.map((one) => html`<${Plain} key=${one.name} one=${one} busy=${busy} act=${act} t=${t} />`)}
      <button type="button" class="btn main" data-move="call" disabled=${busy} onClick=${() => act({ name: "call", class: chosen.class, faces: chosen.faces })}>${t("act_call_hand")}</button></div>`;
}

function Forfeit({ busy, act, t }) {
  const [open, setOpen] = useState(false);
  return html`<button type="button" class="btn quiet" disabled=${busy} onClick=${() => setOpen(true)}>${t("act_forfeit")}</button>
    ${open && html`<${Dialog} title=${t("forfeit_title")} onClose=${() => setOpen(false)} t=${t}><p>${t("forfeit_words")}</p>
      <div class="answers"><button type="button" class="btn" onClick=${() => { setOpen(false); act({ name: "forfeit" }); }}>${t("act_forfeit")}</button><button type="button" class="btn main" onClick=${() => setOpen(false)}>${t("cancel")}</button></div></${Dialog}>`}`;
}

/** The bar for whatever is legal now. me: own player in the view, or null while not dealt in. */
export function Actions({ table, me, pick, picked, busy, sending, act, time, words, sound, t, amount }) {
  const { legal } = table;
  useEffect(() => void (sound && legal.length && chime()), [legal.length > 0, table.state.hand?.turn?.turn_id]);
  const { view, turn } = table.state.hand ?? {};
  const { declare, run, bid, calls, plain } = sorted(legal);
  const offered = me?.offered && plain.some(({ name }) => name === "take") ? t("offered_words", { card: cardName(me.offered, t) }) : null;
  const own = legal.length > 0;
  const waits = !own && view?.family === "poker" && me?.status === "live" && !view.over;
  const body = pick?.name === "show" ? html`<${Showing} pick=${pick} picked=${picked} of=${pick.most} busy=${busy} act=${act} t=${t} />`
    : pick ? html`<${Picking} pick=${pick} picked=${picked} plain=${plain} busy=${busy} act=${act} t=${t} />`
    : declare ? html`<${Declaring} declare=${declare} busy=${busy} act=${act} t=${t} />`
    : run ? html`<${RunIt} run=${run} busy=${busy} act=${act} t=${t} />`
    : bid ? html`<${Bidding} bid=${bid} plain=${plain} busy=${busy} act=${act} t=${t} />`
    : calls ? html`<${Calling} calls=${calls} plain=${plain} busy=${busy} act=${act} t=${t} />`
    : own && !isBetting(legal) ? html`${offered && html`<p class="ask">${offered}</p>`}<div class="moves m2">${plain.map((one, nth) => html`<${Plain} key=${one.name} one=${one} main=${nth === 0} busy=${busy} act=${act} t=${t} />`)}</div>`
    : (view ?? table.state.table).family === "bluff" ? null
    : html`<${Betting} table=${table} legal=${legal} me=${me} busy=${busy} waits=${waits} act=${act} t=${t} amount=${amount} />`;
  return html`<form class=${`act ${own ? "mine" : ""}`} tabindex="-1" aria-label=${t("act_label")} onSubmit=${(event) => event.preventDefault()}>
    <${Time} time=${time} words=${sending ? t("sent") : words} then=${own ? defaultWords(legal, turn?.window, t) : ""} t=${t} />
    ${view?.family === "poker" && me?.status === "live" && !view.over && html`<${Ahead} table=${table} me=${me} busy=${busy} waits=${waits} act=${act} t=${t} amount=${amount} />`}
    ${body}
    ${view?.family === "bluff" && me?.status === "live" && !view.over && html`<${Forfeit} busy=${busy} act=${act} t=${t} />`}
  </form>`;
}
