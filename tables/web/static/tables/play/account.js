// The account: who is signed in where, password, second factor, one's data, closing it.

import { html, useState } from "../../vendor/preact-htm.js";
import { Factor } from "./factor.js";
import { Go } from "./shell.js";
import { Dialog, Failed, Loading, timeWords, useAnswer, useSending } from "./ui.js";
import { whyRefused } from "./words.js";

function SignIns({ app, me, tokens, reload }) {
  const { t, client } = app;
  const own = ({ hint }) => Boolean(client.token?.startsWith(hint));
  const doing = (ask, words) => async () => {
    try {
      await ask();
      app.toast(words, "good");
    } catch (refusal) {
      app.refused(refusal);
    }
    reload();
  };
  return html`<section class="panel" aria-labelledby="sign-ins"><h2 id="sign-ins">${t("sign_ins")}</h2>
    <p>${me.last_sign_in ? t("last_sign_in", { time: timeWords(me.last_sign_in, t) }) : t("first_sign_in")}</p>
    <ul class="tokens">${tokens.map((token) => html`<li key=${token.id}>
      <div><b>${token.name === "sign-in" ? t("a_sign_in") : token.name}</b>${own(token) && html` <em class="here">${t("this_one")}</em>`}
        <small>${t("since", { time: timeWords(token.created_at, t) })}${token.last_used_at && ` · ${t("last_used", { time: timeWords(token.last_used_at, t) })}`}</small></div>
      ${!own(token) && html`<button type="button" class="btn" aria-label=${t("end_sign_in_of", { time: timeWords(token.created_at, t) })} onClick=${doing(() => client.endToken(token.id), t("sign_in_ended"))}>${t("end_it")}</button>`}
    </li>`)}</ul>
    ${tokens.length > 1 && html`<button type="button" class="btn wide" onClick=${doing(() => client.endOtherTokens(), t("others_ended"))}>${t("end_others")}</button>`}
  </section>`;
}

function Password({ app }) {
  const { t, client } = app;
  const { busy, why, send } = useSending(t);
  const change = async ({ current, fresh }) => {
    await client.setPassword(current.value, fresh.value);
    app.toast(t("password_changed"), "good");
    app.signOut();
  };
  return html`<section class="panel" aria-labelledby="password-title"><h2 id="password-title">${t("password_change")}</h2>
    <form class="line-form" onSubmit=${send(change)}>
      <p class="soft">${t("password_change_words")}</p>
      <label class="field"><span>${t("password_now")}</span><input name="current" type="password" autocomplete="current-password" required /></label>
      <label class="field"><span>${t("password_new")}</span><input name="fresh" type="password" autocomplete="new-password" minlength="8" required /></label>
      <button class="btn" disabled=${busy}>${t("password_change")}</button>
      <p class="why" role="alert">${why}</p>
    </form></section>`;
}

function download(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function Data({ app }) {
  const { t, client } = app;
  const [busy, setBusy] = useState(false);
  const getting = (ask) => async () => {
    setBusy(true);
    try {
      await ask();
    } catch (refusal) {
      app.refused(refusal);
    }
    setBusy(false);
  };
  const data = getting(async () => download("croupier-account.json", JSON.stringify(await client.data(), null, 2), "application/json"));
  const hands = getting(async () => download("croupier-hands.ndjson", await client.handsExport("text"), "application/x-ndjson"));
  return html`<section class="panel" aria-labelledby="own-data"><h2 id="own-data">${t("own_data")}</h2>
    <p class="soft">${t("own_data_words")}</p>
    <div class="answers"><button type="button" class="btn" disabled=${busy} onClick=${data}>${t("get_data")}</button>
      <button type="button" class="btn" disabled=${busy} onClick=${hands}>${t("get_hands")}</button></div></section>`;
}

function Closing({ app, state, reload }) {
  const { t, client } = app;
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState(null);
  const close = async () => {
    try {
      await client.closeAccount();
      setOpen(false);
      app.toast(t("account_closed"), "good");
      reload();
    } catch (refusal) {
      setProblem(refusal);
    }
  };
  return html`<section class="panel" aria-labelledby="closing"><h2 id="closing">${t("close_account")}</h2>
    ${state === "closed" ? html`<p><b>${t("account_closed")}</b></p>` : html`<p class="soft">${t("close_account_words")}</p>
      <button type="button" class="btn" onClick=${() => setOpen(true)}>${t("close_account")}</button>`}
    ${open && html`<${Dialog} title=${t("close_account_ask")} onClose=${() => setOpen(false)} t=${t}><p>${t("close_account_words")}</p>
      <p class="note" role="alert">${problem && whyRefused(problem, t)}</p>
      <div class="answers"><button type="button" class="btn main" autofocus onClick=${() => setOpen(false)}>${t("keep_account")}</button><button type="button" class="btn" onClick=${close}>${t("close_account_yes")}</button></div></${Dialog}>`}
  </section>`;
}

export function Account({ app }) {
  const { t, client } = app;
  const { value, problem, reload } = useAnswer(async () => {
    const [me, { tokens }, factor, { state }] = await Promise.all([client.me(), client.tokens(), client.factor(), client.limits()]);
    return { me, tokens, factor, state };
  }, []);
  document.title = `${t("account_title")} · Croupier`;
  if (!value) return html`<main class="page">${problem ? html`<${Failed} problem=${problem} again=${reload} t=${t} />` : html`<${Loading} t=${t} />`}</main>`;
  return html`<main class="page account">
    <div class="title"><h1>${t("account_title")}<small>${value.me.name} · ${value.me.username}</small></h1></div>
    <div class="panels">
      <${SignIns} app=${app} me=${value.me} tokens=${value.tokens} reload=${reload} />
      <${Factor} app=${app} standing=${value.factor} reload=${reload} />
      <${Password} app=${app} />
      <section class="panel" aria-labelledby="to-limits"><h2 id="to-limits">${t("limits_title")}</h2><p class="soft">${t("limits_words")}</p><${Go} app=${app} to="/play/limits" class="btn">${t("to_limits")}</${Go}></section>
      <${Data} app=${app} />
      <${Closing} app=${app} state=${value.state} reload=${reload} />
    </div>
  </main>`;
}
