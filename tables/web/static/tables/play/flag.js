// Calling the floor about a hand one was dealt into.

import { html, useState } from "../../vendor/preact-htm.js";
import { groups } from "../money.js";
import { Dialog } from "./ui.js";
import { whyRefused } from "./words.js";

export function Flag({ hand, app, onClose }) {
  const { t, client } = app;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const n = groups(String(hand.number), t.language);
  const call = async () => {
    setBusy(true);
    try {
      await client.flag(hand.id);
      app.toast(t("flag_done", { n }), "good");
      onClose();
    } catch (refusal) {
      setProblem(refusal);
      setBusy(false);
    }
  };
  return html`<${Dialog} title=${t("flag_title")} onClose=${onClose} t=${t}><p>${t("flag_words", { n })}</p>
    <p class="note" role="alert">${problem && whyRefused(problem, t)}</p>
    <div class="answers"><button type="button" class="btn" autofocus onClick=${onClose}>${t("cancel")}</button>
      <button type="button" class="btn main" disabled=${busy} onClick=${call}>${t("flag_yes")}</button></div></${Dialog}>`;
}
