// How long one has played and what it has cost; the check that play waits for.

import { html, useEffect, useState } from "../../vendor/preact-htm.js";
import { durationWords } from "./limits.js";
import { Dialog, Net } from "./ui.js";

const DUE = "reality_check_due";

/** {standing, acknowledge}: what the house told last, asked for once when a table is opened. */
export function useStanding(app, table, currency) {
  const { client } = app;
  const [asked, setAsked] = useState(null);
  const take = ({ since, elapsed_s, net, barred }) => setAsked({ since, elapsed_s, barred, net_minor: net.find((one) => one.currency === currency)?.amount_minor ?? 0 });
  useEffect(() => void client.session().then(take, () => {}), [table.id]);
  const told = table.standing;
  useEffect(() => void (told && setAsked(told)), [told]);
  const acknowledge = async () => {
    try {
      take(await client.acknowledge());
    } catch (refusal) {
      app.refused(refusal);
    }
  };
  return { standing: asked, acknowledge };
}

function Figures({ standing, t, amount }) {
  return html`<dl><dt>${t("time_played")}</dt><dd>${durationWords(standing.elapsed_s, t)}</dd>
    <dt>${t("net_result")}</dt><dd><${Net} minor=${standing.net_minor} amount=${amount} t=${t} /></dd></dl>`;
}

export function ThisSession({ standing, t, amount }) {
  if (!standing?.since) return null;
  return html`<section><h2>${t("this_session")}</h2><${Figures} standing=${standing} t=${t} amount=${amount} />
    ${standing.barred && standing.barred !== DUE && html`<p class="note">${t(`code_${standing.barred}`)}</p>`}</section>`;
}

/** Play pauses until time and result have been seen. */
export function RealityCheck({ standing, acknowledge, t, amount }) {
  const [put, setPut] = useState(null);
  if (standing?.barred !== DUE || put === standing) return null;
  return html`<${Dialog} title=${t("check_title")} onClose=${() => setPut(standing)} t=${t}>
    <p>${t("check_words")}</p><${Figures} standing=${standing} t=${t} amount=${amount} />
    <button type="button" class="btn main wide" autofocus onClick=${acknowledge}>${t("check_seen")}</button>
  </${Dialog}>`;
}
