// Sitting down, buying more chips, tipping, leaving: the dialogs that move money.

import { html, useState } from "../../vendor/preact-htm.js";
import { cut, readAmount, typedAmount } from "./amounts.js";
import { Dialog } from "./ui.js";

/** An amount of chips between two ends: slider, text box, presets. */
function ChipsField({ range, minor, setMinor, exponent, currency, label, t, amount }) {
  const [text, setText] = useState(null);
  const [note, setNote] = useState("");
  const choose = (value) => { setMinor(value); setText(null); setNote(""); };
  const settle = () => {
    if (text === null) return;
    const read = readAmount(text, exponent);
    const next = read === null ? minor : cut(read, range);
    choose(next);
    if (read !== next) setNote(t("cut_to", { least: amount(range.least_minor), most: amount(range.most_minor), amount: amount(next) }));
  };
  const middle = cut(Math.floor((range.least_minor + range.most_minor) / 2), range);
  const offer = (value, words) => html`<button type="button" class="btn" aria-pressed=${String(minor === value)} onClick=${() => choose(value)}>${amount(value)}<small>${words}</small></button>`;
  return html`<div class="chips-field">
    <label class="field"><span>${label}</span><span class="with-unit"><input class="amount" name="amount" type="text" inputmode="decimal" autofocus value=${text ?? typedAmount(minor, exponent)}
      onInput=${(event) => { const read = readAmount(event.currentTarget.value, exponent); setText(event.currentTarget.value); if (read !== null) setMinor(cut(read, range)); }} onBlur=${settle} />${currency}</span></label>
    <input type="range" aria-label=${label} aria-valuetext=${amount(minor)} min=${range.least_minor} max=${range.most_minor} step=${range.step_minor} value=${minor} onInput=${(event) => choose(cut(Number(event.currentTarget.value), range))} />
    <div class="presets p3">${offer(range.least_minor, t("least"))}${offer(middle, t("middle_sum"))}${offer(range.most_minor, t("most"))}</div>
    <p class="note" role="alert">${note}</p>
  </div>`;
}

/** A private table's invitation, where the page's address brings it along. */
const invited = () => new URLSearchParams(location.search).get("invitation") ?? "";

function Amount({ title, range, first_minor, table, label, have, words, send, onClose, t, amount }) {
  const [minor, setMinor] = useState(first_minor);
  const [busy, setBusy] = useState(false);
  const [asksInvitation, setAsks] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const { invitation } = event.currentTarget.elements;
    setBusy(true);
    const refusal = await send(minor, invitation?.value.trim() ?? invited());
    if (refusal?.code === "invitation_needed") setAsks(true);
    setBusy(false);
  };
  return html`<${Dialog} title=${title} onClose=${onClose} t=${t}>
    <form onSubmit=${submit}>
      <${ChipsField} range=${range} minor=${minor} setMinor=${setMinor} exponent=${table.exponent} currency=${table.currency} label=${label} t=${t} amount=${amount} />
      ${asksInvitation && html`<label class="field"><span>${t("invitation")}</span><input name="invitation" autocomplete="off" spellcheck="false" autocapitalize="none" required autofocus /></label>`}
      <p class="soft">${have}</p>
      <button class="btn main wide" disabled=${busy}>${busy ? t("sent") : words(minor)}</button>
    </form>
  </${Dialog}>`;
}

const bought = ({ table, cash_minor, t, amount }) => ({ label: t("chips_to_buy"), have: `${amount(cash_minor)} ${table.currency} ${t("in_wallet")}` });

export function SitDown({ table, cash_minor, send, onClose, t, amount }) {
  const { least_minor, most_minor } = table.buy_in;
  const title = t("buy_in_title", { name: table.name });
  if (cash_minor < least_minor) {
    return html`<${Dialog} title=${title} onClose=${onClose} t=${t}><p>${t("wallet_short", { have: `${amount(cash_minor)} ${table.currency}`, least: amount(least_minor) })}</p>
      <button type="button" class="btn wide" onClick=${onClose}>${t("close")}</button></${Dialog}>`;
  }
  const step_minor = table.chip_minor ?? 1;
  const most = cut(Math.min(most_minor, cash_minor), { least_minor, most_minor, step_minor });
  const range = { least_minor, most_minor: most, step_minor };
  return html`<${Amount} title=${title} range=${range} first_minor=${cut(Math.floor((least_minor + most) / 2), range)} table=${table} ...${bought({ table, cash_minor, t, amount })}
    words=${(minor) => t("buy_in_for", { amount: `${amount(minor)} ${table.currency}` })} send=${send} onClose=${onClose} t=${t} amount=${amount} />`;
}

export function TopUp({ table, stack_minor, cash_minor, send, onClose, t, amount }) {
  const step_minor = table.chip_minor ?? 1;
  const room = Math.min(table.buy_in.most_minor - stack_minor, cash_minor);
  const most_minor = room - (room % step_minor);
  if (most_minor < step_minor) {
    return html`<${Dialog} title=${t("top_up")} onClose=${onClose} t=${t}><p>${t("top_up_full")}</p><button type="button" class="btn wide" onClick=${onClose}>${t("close")}</button></${Dialog}>`;
  }
  const range = { least_minor: step_minor, most_minor, step_minor };
  return html`<${Amount} title=${t("top_up")} range=${range} first_minor=${most_minor} table=${table} ...${bought({ table, cash_minor, t, amount })}
    words=${(minor) => t("top_up_for", { amount: `${amount(minor)} ${table.currency}` })} send=${send} onClose=${onClose} t=${t} amount=${amount} />`;
}

/** Tips are chips on the table; what is in a hand stays there until it is over. */
export function Tip({ table, stack_minor, inHand, send, onClose, t, amount }) {
  const step_minor = table.chip_minor ?? 1;
  const most_minor = stack_minor - (stack_minor % step_minor);
  if (most_minor < step_minor) {
    return html`<${Dialog} title=${t("tip")} onClose=${onClose} t=${t}><p>${t("tip_none")}</p><button type="button" class="btn wide" onClick=${onClose}>${t("close")}</button></${Dialog}>`;
  }
  return html`<${Amount} title=${t("tip")} range=${{ least_minor: step_minor, most_minor, step_minor }} first_minor=${step_minor} table=${table} label=${t("tip_chips")} have=${t(inHand ? "tip_later" : "tip_from")}
    words=${(minor) => t("tip_for", { amount: `${amount(minor)} ${table.currency}` })} send=${send} onClose=${onClose} t=${t} amount=${amount} />`;
}

export function Leave({ stack_minor, inHand, send, onClose, currency, t, amount }) {
  const [busy, setBusy] = useState(false);
  return html`<${Dialog} title=${t("leave_title")} onClose=${onClose} t=${t}>
    <p>${t("leave_words", { amount: `${amount(stack_minor)} ${currency}` })}</p>
    ${inHand && html`<p class="soft">${t("leave_in_hand")}</p>`}
    <div class="answers"><button type="button" class="btn" onClick=${onClose} autofocus>${t("stay")}</button>
      <button type="button" class="btn main" disabled=${busy} onClick=${async () => { setBusy(true); await send(); setBusy(false); }}>${t("leave_yes")}</button></div>
  </${Dialog}>`;
}
