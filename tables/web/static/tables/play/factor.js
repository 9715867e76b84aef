// The second factor: an app's code beside the password.

import { html, useState } from "../../vendor/preact-htm.js";
import { useSending } from "./ui.js";

const inFours = (secret) => secret.match(/.{1,4}/g).join(" ");

function Begin({ begin, t }) {
  const { busy, why, send } = useSending(t);
  return html`<form class="line-form" onSubmit=${send(({ password }) => begin(password.value))}>
    <p class="soft">${t("factor_off_words")}</p>
    <label class="field"><span>${t("password_again")}</span><input name="password" type="password" autocomplete="current-password" required /></label>
    <button class="btn main" disabled=${busy}>${t("factor_begin")}</button>
    <p class="why" role="alert">${why}</p>
  </form>`;
}

function Confirm({ begun, confirm, t }) {
  const { busy, why, send } = useSending(t);
  return html`<form class="line-form" onSubmit=${send(({ code }) => confirm(code.value.trim()))}>
    <p>${t("factor_add_words")}</p>
    ${begun.picture && html`<p><img class="qr" src=${begun.picture} alt=${t("factor_picture")} /></p>`}
    <p class="secret" aria-label=${t("factor_secret")}>${inFours(begun.secret)}</p>
    <p><a href=${begun.address}>${t("factor_open_app")}</a></p>
    <label class="field"><span>${t("factor_first_code")}</span><input name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required autofocus /></label>
    <button class="btn main" disabled=${busy}>${t("factor_turn_on")}</button>
    <p class="why" role="alert">${why}</p>
  </form>`;
}

function Drop({ left, drop, t }) {
  const { busy, why, send } = useSending(t);
  return html`<form class="line-form" onSubmit=${send(({ code }) => drop(code.value.trim()))}>
    <p><b>${t("factor_on")}</b> ${t("recovery_left", { n: left })}</p>
    <label class="field"><span>${t("factor_code")}</span><input name="code" autocomplete="one-time-code" maxlength="20" required /></label>
    <button class="btn" disabled=${busy}>${t("factor_turn_off")}</button>
    <p class="why" role="alert">${why}</p>
  </form>`;
}

export function Factor({ app, standing, reload }) {
  const { t, client } = app;
  const [begun, setBegun] = useState(null);
  const [codes, setCodes] = useState(null);
  const confirm = async (code) => {
    setCodes((await client.factorConfirm(code)).recovery_codes);
    setBegun(null);
    reload();
  };
  const drop = async (code) => {
    await client.factorDrop(code);
    setCodes(null);
    reload();
  };
  return html`<section class="panel" aria-labelledby="factor"><h2 id="factor">${t("factor_title")}</h2>
    ${codes && html`<div role="status"><p><b>${t("recovery_words")}</b></p><ul class="codes">${codes.map((code) => html`<li key=${code}>${code}</li>`)}</ul></div>`}
    ${standing.on ? html`<${Drop} left=${standing.recovery_codes_left} drop=${drop} t=${t} />`
      : begun ? html`<${Confirm} begun=${begun} confirm=${confirm} t=${t} />`
      : html`<${Begin} begin=${async (password) => setBegun(await client.factorBegin(password))} t=${t} />`}
  </section>`;
}
