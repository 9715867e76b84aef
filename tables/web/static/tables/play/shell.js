// Links and settings: what every page of the client has at its edge.

import { html } from "../../vendor/preact-htm.js";
import { Dialog } from "./ui.js";

/** Language, deck and sound. */
export function Choices({ app }) {
  const { t, settings, set } = app;
  const one = (name, value, words) => html`<button type="button" class="btn" aria-pressed=${String(settings[name] === value)} onClick=${() => set({ [name]: value })}>${words}</button>`;
  return html`<div class="choices">
    <div role="group" aria-label=${t("language")} class="segments">${one("language", "en", "English")}${one("language", "pl", "Polski")}</div>
    <div role="group" aria-label=${t("deck")} class="segments">${one("deck", "four", t("deck_four"))}${one("deck", "two", t("deck_two"))}</div>
    <div role="group" aria-label=${t("sound")} class="segments">${one("sound", "off", t("sound_off"))}${one("sound", "on", t("sound_on"))}</div>
  </div>`;
}

export function Settings({ app, onClose }) {
  const { t } = app;
  return html`<${Dialog} title=${t("settings")} onClose=${onClose} t=${t}>
    <p class="soft">${t("signed_in_as", { name: app.player.name })}</p>
    <${Choices} app=${app} />
    <div class="samples" aria-hidden="true">${["Ks", "Kh", "Kd", "Kc"].map((code) => html`<i class="card" data-c=${code}></i>`)}</div>
    <${Go} app=${app} to="/play/account" class="btn wide" onGo=${onClose}>${t("to_account")}</${Go}>
    <${Go} app=${app} to="/play/limits" class="btn wide" onGo=${onClose}>${t("limits_title")}</${Go}>
    <button type="button" class="btn wide" onClick=${app.signOut}>${t("sign_out")}</button>
  </${Dialog}>`;
}

/** A link within the client: no page is loaded anew. */
export function Go({ app, to, onGo = () => {}, children, ...rest }) {
  const follow = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    onGo();
    app.go(to);
  };
  return html`<a href=${to} onClick=${follow} ...${rest}>${children}</a>`;
}
