// The wallet: what there is, and every movement that made it.

import { html, useState } from "../../vendor/preact-htm.js";
import { readAmount, typedAmount } from "./amounts.js";
import { Go } from "./shell.js";
import { Blank, Dialog, Failed, Loading, Net, timeWords, useAnswer, usePages, useSending } from "./ui.js";

const LINES = 25;
const PLAY_MONEY_MINOR = 100_000;

/** Money on its way out: asked for here, paid by the house. */
function Withdraw({ purse, app, onClose, reload }) {
  const { t, client } = app;
  const { currency, exponent } = purse;
  const { busy, why, send } = useSending(t);
  const [text, setText] = useState(typedAmount(purse.cash.amount_minor, exponent));
  const minor = readAmount(text, exponent);
  const isFit = minor > 0 && minor <= purse.cash.amount_minor;
  const ask = async () => {
    await client.withdraw(minor, currency);
    app.toast(t("withdraw_done", { amount: `${app.amountIn(exponent)(minor)} ${currency}` }), "good");
    onClose();
    reload();
  };
  return html`<${Dialog} title=${t("withdraw")} onClose=${onClose} t=${t}><form onSubmit=${send(ask)}>
    <p class="soft">${t("withdraw_words")}</p>
    <label class="field"><span>${t("sum", { currency })}</span><input class="amount" name="sum" inputmode="decimal" value=${text} onInput=${(event) => setText(event.currentTarget.value)} autofocus /></label>
    <p class="note" role="alert">${why ?? (text && !isFit ? t("no_amount") : "")}</p>
    <button class="btn main wide" disabled=${busy || !isFit}>${t("withdraw")}</button></form></${Dialog}>`;
}

function Purse({ purse, names, app, reload }) {
  const { t } = app;
  const amount = app.amountIn(purse.exponent);
  const [asks, setAsks] = useState(false);
  const more = ["bonus", "pending", "owed"].filter((name) => purse[name].amount_minor > 0);
  return html`<section class="panel purse-card" aria-label=${t("purse_label", { currency: purse.currency })}>
    <p class="big"><b>${amount(purse.cash.amount_minor)}</b> ${purse.currency}<small>${t("cash")}</small></p>
    ${(more.length > 0 || purse.tables.length > 0) && html`<dl>
      ${more.map((name) => html`<dt>${t(name)}</dt><dd>${amount(purse[name].amount_minor)}</dd>`)}
      ${purse.tables.map(({ table, chips }) => html`<dt><${Go} app=${app} to=${`/play/${table}`}>${names[table] ?? t("table_n", { name: table })}</${Go}></dt><dd>${amount(chips.amount_minor)}</dd>`)}
    </dl>`}
    <div class="answers"><button type="button" class="btn" data-move="withdraw" disabled=${purse.cash.amount_minor <= 0} onClick=${() => setAsks(true)}>${t("withdraw")}</button>
      <${Go} app=${app} to="/play/limits" class="btn">${t("limits_title")}</${Go}></div>
    ${asks && html`<${Withdraw} purse=${purse} app=${app} onClose=${() => setAsks(false)} reload=${reload} />`}
  </section>`;
}

function Line({ line, names, exponents, app }) {
  const { t } = app;
  const amount = app.amountIn(exponents[line.amount.currency]);
  const kind = t.has(`kind_${line.kind}`) ? t(`kind_${line.kind}`) : line.kind;
  return html`<tr>
    <td class="when"><time datetime=${line.at}>${timeWords(line.at, t)}</time></td>
    <td class="what"><b>${kind}</b>${line.reason && html`<small>${line.reason}</small>`}</td>
    <td class="where">${line.table && html`<${Go} app=${app} to=${`/play/${line.table}`}>${names[line.table] ?? t("table_n", { name: line.table })}</${Go}>`}
      ${line.hand && html` <${Go} app=${app} to=${`/play/hands/${line.hand}`}>${t("read_hand")}</${Go}>`}
      ${!line.table && t("on_cash")}</td>
    <td class="money"><${Net} minor=${line.amount.amount_minor} amount=${amount} t=${t} /></td>
    <td class="money soft">${amount(line.balance.amount_minor)}<small>${t(line.account === "cash" ? "on_cash" : line.account === "seat" ? "on_table" : line.account)}</small></td>
  </tr>`;
}

/** What a house with a sandbox gives to try it with. */
function PlayMoney({ app, reload }) {
  const { t, client } = app;
  const [busy, setBusy] = useState(false);
  const get = async () => {
    setBusy(true);
    try {
      await client.playMoney(PLAY_MONEY_MINOR);
      app.toast(t("play_money_given"), "good");
    } catch (refusal) {
      app.refused(refusal);
    }
    setBusy(false);
    reload();
  };
  return html`<section class="panel purse-card" aria-labelledby="play-money"><h2 id="play-money">${t("play_money")}</h2><p class="soft">${t("play_money_words")}</p>
    <button type="button" class="btn" data-move="play-money" disabled=${busy} onClick=${get}>${t("play_money_get")}</button></section>`;
}

export function Wallet({ app }) {
  const { t, client } = app;
  const { value, problem, reload } = useAnswer(async () => {
    const [{ purses }, { tables }] = await Promise.all([client.wallet(), client.tables({ limit: 200 })]);
    return { purses, names: Object.fromEntries(tables.map(({ id, name }) => [id, name])) };
  }, []);
  const pages = usePages((cursor) => client.statement({ limit: LINES, cursor }), "lines");
  document.title = `${t("wallet_title")} · Croupier`;
  const failed = problem ?? pages.problem;
  if (failed && !pages.lines) return html`<main class="page"><${Failed} problem=${failed} again=${() => { reload(); pages.again(); }} t=${t} /></main>`;
  if (!value || !pages.lines) return html`<main class="page"><${Loading} t=${t} /></main>`;
  const again = () => { reload(); pages.again(); };
  const exponents = Object.fromEntries(value.purses.map(({ currency, exponent }) => [currency, exponent]));
  return html`<main class="page">
    <div class="title"><h1>${t("wallet_title")}</h1></div>
    <div class="purses">${value.purses.map((purse) => html`<${Purse} key=${purse.currency} purse=${purse} names=${value.names} app=${app} reload=${again} />`)}
      ${app.config.sandbox && html`<${PlayMoney} app=${app} reload=${again} />`}</div>
    <section class="statement"><h2 id="statement">${t("statement")}</h2>
      ${pages.lines.length === 0 ? html`<${Blank} title=${t("statement_empty")} words=${t("statement_empty_words")} />` : html`
        <table aria-labelledby="statement"><thead><tr><th>${t("when")}</th><th>${t("what")}</th><th>${t("where")}</th><th class="money">${t("amount")}</th><th class="money">${t("balance")}</th></tr></thead>
          <tbody>${pages.lines.map((line) => html`<${Line} key=${line.id} line=${line} names=${value.names} exponents=${exponents} app=${app} />`)}</tbody></table>`}
      ${pages.problem && html`<p class="banner" role="alert">${t("could_not_load")}</p>`}
      ${pages.next !== null && html`<button type="button" class="btn wide" onClick=${pages.more}>${t("more")}</button>`}
    </section>
  </main>`;
}
