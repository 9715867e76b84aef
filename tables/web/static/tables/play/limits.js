// A player's own limits and pauses: what counts, how much of it is used, and how to set it.

import { html, useState } from "../../vendor/preact-htm.js";
import { readAmount } from "./amounts.js";
import { Dialog, Failed, Loading, timeWords, useAnswer, useSending } from "./ui.js";
import { whyRefused } from "./words.js";

const KINDS = ["deposit", "loss", "stake", "time"];
const WINDOWS = [1, 7, 30];
const PAUSES_H = [24, 7 * 24, 42 * 24];
const CHECKS_S = [900, 1800, 3600];
const MONTHS = [6, 12, 60];

export function durationWords(s, t) {
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor((s % 3600) / 60);
  return [hours > 0 && t("hours_n", { n: hours }), (minutes > 0 || hours === 0) && t("minutes_n", { n: minutes })].filter(Boolean).join(" ");
}

function Limit({ limit, app, exponents }) {
  const { t } = app;
  const amount = app.amountIn(exponents[limit.currency]);
  const figure = (name) => (limit.kind === "time" ? limit[`${name}_s`] === null ? null : durationWords(limit[`${name}_s`], t)
    : limit[`${name}_minor`] === null ? null : `${amount(limit[`${name}_minor`])} ${limit.currency}`);
  return html`<li><div><b>${t(`limit_${limit.kind}`)}</b> <small>${t(`window_${limit.window_days}`)}</small></div>
    <p>${figure("most") === null ? t("no_limit_now") : t("used_of", { used: figure("used") ?? "0", most: figure("most") })}</p>
    ${limit.next_from && html`<small>${figure("next") === null ? t("ends_at", { time: timeWords(limit.next_from, t) }) : t("next_at", { figure: figure("next"), time: timeWords(limit.next_from, t) })}</small>`}</li>`;
}

function Setting({ app, currencies, exponents, reload }) {
  const { t, client } = app;
  const [kind, setKind] = useState("loss");
  const { busy, why, send } = useSending(t);
  const set = async ({ currency, window_days, most }, form) => {
    const asked = { kind, window_days: Number(window_days.value) };
    const text = most.value.trim();
    if (kind === "time") Object.assign(asked, { most_s: text === "" ? null : readAmount(text, 0) * 60 });
    else Object.assign(asked, { currency: currency.value, most_minor: text === "" ? null : readAmount(text, exponents[currency.value]) });
    await client.setLimit(asked);
    form.reset();
    app.toast(t("limit_set"), "good");
    reload();
  };
  return html`<form class="line-form" onSubmit=${send(set)}>
    <label class="field"><span>${t("limit_kind")}</span><select name="kind" value=${kind} onChange=${(event) => setKind(event.currentTarget.value)}>${KINDS.map((one) => html`<option value=${one}>${t(`limit_${one}`)}</option>`)}</select></label>
    <label class="field"><span>${t("limit_window")}</span><select name="window_days">${WINDOWS.map((days) => html`<option value=${days}>${t(`window_${days}`)}</option>`)}</select></label>
    ${kind !== "time" && html`<label class="field"><span>${t("currency")}</span><select name="currency">${currencies.map((one) => html`<option value=${one}>${one}</option>`)}</select></label>`}
    <label class="field"><span>${t(kind === "time" ? "minutes_at_most" : "at_most")}</span><input name="most" inputmode="decimal" pattern="[0-9 ]+([.,][0-9]+)?" placeholder=${t("empty_ends")} /></label>
    <button class="btn main" disabled=${busy}>${t("set_limit")}</button>
    <p class="why" role="alert">${why}</p>
  </form>`;
}

/** A step that is not taken back: what it means is said before it is taken. */
function Step({ title, words, choices, take, app }) {
  const { t } = app;
  const [chosen, setChosen] = useState(null);
  const [problem, setProblem] = useState(null);
  const yes = async () => {
    try {
      await take(chosen.value);
      setChosen(null);
    } catch (refusal) {
      setProblem(refusal);
    }
  };
  return html`<section class="panel"><h2>${title}</h2><p class="soft">${words}</p>
    <div class="presets p3">${choices.map((choice) => html`<button type="button" key=${choice.words} class="btn" onClick=${() => { setProblem(null); setChosen(choice); }}>${choice.words}</button>`)}</div>
    ${chosen && html`<${Dialog} title=${`${title}: ${chosen.words}?`} onClose=${() => setChosen(null)} t=${t}><p>${words}</p>
      <p class="note" role="alert">${problem && whyRefused(problem, t)}</p>
      <div class="answers"><button type="button" class="btn main" autofocus onClick=${() => setChosen(null)}>${t("cancel")}</button><button type="button" class="btn" onClick=${yes}>${t("step_yes")}</button></div></${Dialog}>`}
  </section>`;
}

export function Limits({ app }) {
  const { t, client } = app;
  const { value, problem, reload } = useAnswer(async () => {
    const [kept, { purses }, { tables }] = await Promise.all([client.limits(), client.wallet(), client.tables({ limit: 200 })]);
    return { kept, exponents: Object.fromEntries([...tables, ...purses].map(({ currency, exponent }) => [currency, exponent])) };
  }, []);
  document.title = `${t("limits_title")} · Croupier`;
  if (!value) return html`<main class="page">${problem ? html`<${Failed} problem=${problem} again=${reload} t=${t} />` : html`<${Loading} t=${t} />`}</main>`;
  const { kept, exponents } = value;
  const taking = (ask) => async (asked) => {
    await ask(asked);
    app.toast(t("step_taken"), "good");
    reload();
  };
  const check = async (every_s) => {
    try {
      await client.realityCheck(every_s);
    } catch (refusal) {
      app.refused(refusal);
    }
    reload();
  };
  return html`<main class="page account">
    <div class="title"><h1>${t("limits_title")}</h1></div>
    ${kept.excluded_until || kept.excluded_until_lifted ? html`<p class="banner" role="status">${kept.excluded_until ? t("excluded_until", { time: timeWords(kept.excluded_until, t) }) : t("excluded_for_good")}</p>`
      : kept.cool_off_until && html`<p class="banner" role="status">${t("pause_until", { time: timeWords(kept.cool_off_until, t) })}</p>`}
    <div class="panels">
      <section class="panel"><h2>${t("own_limits")}</h2><p class="soft">${t("limits_words")}</p>
        ${kept.limits.length === 0 ? html`<p>${t("no_limits")}</p>` : html`<ul class="limits">${kept.limits.map((limit) => html`<${Limit} key=${`${limit.kind}${limit.currency}${limit.window_days}`} limit=${limit} app=${app} exponents=${exponents} />`)}</ul>`}
        <${Setting} app=${app} currencies=${Object.keys(exponents)} exponents=${exponents} reload=${reload} /></section>
      <section class="panel" aria-labelledby="checks"><h2 id="checks">${t("checks_title")}</h2><p class="soft">${t("checks_words")}</p>
        <div class="presets p4">${[null, ...CHECKS_S].map((every_s) => html`<button type="button" key=${every_s} class="btn" aria-pressed=${String(kept.reality_check_s === every_s)} onClick=${() => check(every_s)}>${every_s === null ? t("never") : durationWords(every_s, t)}</button>`)}</div></section>
      <${Step} title=${t("pause_title")} words=${t("pause_words")} choices=${PAUSES_H.map((hours) => ({ value: hours, words: t("days_n", { n: hours / 24 }) }))} take=${taking((hours) => client.coolOff(hours))} app=${app} />
      <${Step} title=${t("exclusion_title")} words=${t("exclusion_words")} choices=${MONTHS.map((months) => ({ value: months, words: t("months_n", { n: months }) }))} take=${taking((months) => client.exclude(months))} app=${app} />
    </div>
  </main>`;
}
