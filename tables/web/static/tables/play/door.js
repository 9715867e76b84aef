// The door: signing in, and opening an account.

import { html, useState } from "../../vendor/preact-htm.js";
import { Choices, Go } from "./shell.js";
import { whyRefused } from "./words.js";

const Fan = () => html`<div class="fan" aria-hidden="true">${["As", "Kh", "Qd", "Jc"].map((code) => html`<i class="card" data-c=${code}></i>`)}</div>`;

function Entry({ name, label, hint, ...rest }) {
  return html`<label class="field"><span>${label}</span><input name=${name} required spellcheck="false" autocapitalize="none" aria-describedby=${hint && `${name}-hint`} ...${rest} />
    ${hint && html`<small id=${`${name}-hint`} class="soft">${hint}</small>`}</label>`;
}

export function SignIn({ app, wasSignedOut }) {
  const { t, client } = app;
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState(null);
  const [asked, setAsked] = useState(false);
  const send = async (event) => {
    event.preventDefault();
    const { username, password, code } = event.currentTarget.elements;
    setSending(true);
    setProblem(null);
    try {
      app.signedIn(await client.signIn(username.value.trim(), password.value, code?.value.trim()));
    } catch (refusal) {
      const wantsCode = ["factor_needed", "factor_refused"].includes(refusal.code);
      if (wantsCode) setAsked(true);
      setProblem(wantsCode && !asked ? null : refusal);
      setSending(false);
      (code ?? password).select();
    }
  };
  return html`<main class="door">
    <${Fan} />
    <form class="panel" onSubmit=${send}>
      <div><h1>${t("welcome")}</h1><p class="soft">${t(wasSignedOut ? "signed_out" : "welcome_words")}</p></div>
      <${Entry} name="username" label=${t("user_name")} autocomplete="username" autofocus />
      <${Entry} name="password" label=${t("password")} type="password" autocomplete="current-password" />
      ${asked && html`<${Entry} name="code" label=${t("factor_code")} autocomplete="one-time-code" maxlength="20" autofocus />`}
      <p class="why" role="alert">${problem && whyRefused(problem, t)}</p>
      <button class="btn main wide" disabled=${sending}>${t(sending ? "signing_in" : "sign_in")}</button>
      <${Go} app=${app} to="/play/register" class="btn wide">${t("open_account")}</${Go}>
    </form>
    <${Choices} app=${app} />
  </main>`;
}

/** A new account; who has opened one is signed in at once. */
export function Register({ app }) {
  const { t, client } = app;
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState(null);
  const send = async (event) => {
    event.preventDefault();
    const { username, display_name, email, password } = event.currentTarget.elements;
    const facts = { username: username.value.trim(), display_name: display_name.value.trim(), password: password.value };
    if (email.value.trim()) facts.email = email.value.trim();
    setSending(true);
    setProblem(null);
    try {
      await client.register(facts);
      app.signedIn(await client.signIn(facts.username, facts.password));
    } catch (refusal) {
      setProblem(refusal);
      setSending(false);
    }
  };
  document.title = `${t("open_account")} · Croupier`;
  return html`<main class="door">
    <${Fan} />
    <form class="panel" onSubmit=${send}>
      <div><h1>${t("open_account")}</h1><p class="soft">${t("open_account_words")}</p></div>
      <${Entry} name="username" label=${t("user_name")} autocomplete="username" maxlength="150" autofocus />
      <${Entry} name="display_name" label=${t("display_name")} hint=${t("display_name_words")} autocomplete="nickname" maxlength="100" />
      <${Entry} name="email" label=${t("email_if_any")} type="email" autocomplete="email" maxlength="254" required=${false} />
      <${Entry} name="password" label=${t("password")} hint=${t("password_words")} type="password" autocomplete="new-password" minlength="8" />
      <p class="why" role="alert">${problem && whyRefused(problem, t)}</p>
      <button class="btn main wide" disabled=${sending}>${t(sending ? "sent" : "open_account")}</button>
      <${Go} app=${app} to="/play/" class="btn wide">${t("have_account")}</${Go}>
    </form>
    <${Choices} app=${app} />
  </main>`;
}
