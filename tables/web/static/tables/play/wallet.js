// The wallet: what there is, and every movement that made it.

import { html } from "../../vendor/preact-htm.js";
import { Go } from "./shell.js";
import { Blank, Failed, Loading, Net, timeWords, useAnswer, usePages } from "./ui.js";

const LINES = 25;

function Purse({ purse, names, app }) {
  const { t } = app;
  const amount = app.amountIn(purse.exponent);
  const more = ["bonus", "pending", "owed"].filter((name) => purse[name].amount_minor > 0);
  return html`<section class="panel purse-card" aria-label=${t("purse_label", { currency: purse.currency })}>
    <p class="big"><b>${amount(purse.cash.amount_minor)}</b> ${purse.currency}<small>${t("cash")}</small></p>
    ${(more.length > 0 || purse.tables.length > 0) && html`<dl>
      ${more.map((name) => html`<dt>${t(name)}</dt><dd>${amount(purse[name].amount_minor)}</dd>`)}
      ${purse.tables.map(({ table, chips }) => html`<dt><${Go} app=${app} to=${`/play/${table}`}>${names[table] ?? t("table_n", { name: table })}</${Go}></dt><dd>${amount(chips.amount_minor)}</dd>`)}
    </dl>`}
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
  const exponents = Object.fromEntries(value.purses.map(({ currency, exponent }) => [currency, exponent]));
  return html`<main class="page">
    <div class="title"><h1>${t("wallet_title")}</h1></div>
    <div class="purses">${value.purses.map((purse) => html`<${Purse} key=${purse.currency} purse=${purse} names=${value.names} app=${app} />`)}</div>
    <section class="statement"><h2 id="statement">${t("statement")}</h2>
      ${pages.lines.length === 0 ? html`<${Blank} title=${t("statement_empty")} words=${t("statement_empty_words")} />` : html`
        <table aria-labelledby="statement"><thead><tr><th>${t("when")}</th><th>${t("what")}</th><th>${t("where")}</th><th class="money">${t("amount")}</th><th class="money">${t("balance")}</th></tr></thead>
          <tbody>${pages.lines.map((line) => html`<${Line} key=${line.id} line=${line} names=${value.names} exponents=${exponents} app=${app} />`)}</tbody></table>`}
      ${pages.problem && html`<p class="banner" role="alert">${t("could_not_load")}</p>`}
      ${pages.next !== null && html`<button type="button" class="btn wide" onClick=${pages.more}>${t("more")}</button>`}
    </section>
  </main>`;
}
