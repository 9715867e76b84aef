// The page that checks proofs: pasted, from files, or of one's own hands. All checking is check.js.

import { html, render, useEffect, useMemo, useRef, useState } from "../../vendor/preact-htm.js";
import { cardName } from "../cards.js";
import { languageOf, translator } from "../i18n.js";
import { CroupierClient } from "../play/croupier-client.js";
import { timeWords, useAnswer } from "../play/ui.js";
import { PLAY_WORDS, whyRefused } from "../play/words.js";
import { STEPS, isOver, isPage, verify, verifyTogether, withReceipts } from "./check.js";
import { keptReceipts } from "./receipts.js";
import { VERIFY_WORDS } from "./words.js";

const HANDS = 25;
const WORDS = Object.fromEntries(["en", "pl"].map((one) => [one, { ...PLAY_WORDS[one], ...VERIFY_WORDS[one] }]));
const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const JOKERS = ["Jk", "X1", "X2"];

const cardCode = (card) => (card < 52 ? RANKS[card >> 2] + SUITS[card & 3] : JOKERS[card - 52]);
const cardWords = (card, t) => (cardCode(card) ? cardName(cardCode(card), t) : String(card));

function stored(store, key) {
  try {
    return JSON.parse(store.getItem(key));
  } catch {
    return null; // private windows may keep nothing
  }
}

/** {bundle, report, ms} of each text, and what they say together. Throws what JSON.parse throws. */
async function checked(texts, key) {
  const found = [];
  const listed = [];
  for (const text of texts) {
    const told = JSON.parse(text);
    if (isPage(told)) {
      listed.push(...told.cuts);
      continue;
    }
    const bundle = await withReceipts(told, keptReceipts(told?.table));
    const own = bundle === told ? 0 : bundle.receipts.length - told.receipts.length;
    const began = performance.now();
    const report = await verify(bundle, key);
    const ms = performance.now() - began - report.signatures_ms;
    found.push({ bundle, report, ms, own });
  }
  const whole = found.filter(({ report }) => !report.problems.some(({ step }) => step === "form"));
  if (whole.length && whole.length + listed.length > 1) found.push({ together: true, report: await verifyTogether(whole.map(({ bundle }) => bundle), listed) });
  return found;
}

function Problem({ code, facts, t }) {
  const said = { ...facts, card: facts.card === undefined ? "" : cardWords(facts.card, t) };
  return html`<li>${t(`code_${code}`, said)}</li>`;
}

function Step({ step, report, withKey, t }) {
  const wrong = report.problems.filter((one) => one.step === step);
  const count = report.checked[step];
  const kind = wrong.length ? "wrong" : count ? "holds" : "none";
  return html`<li class=${`check ${kind}`}>
    <h3><span class="verdict">${t(`step_${kind}`)}</span> ${t(`step_${step}`)}</h3>
    <p class="soft">${t(`why_${step}`)} ${count ? t("checks_n", { n: count }) + "." : ""} ${step === "key" && !withKey ? t("key_not_compared") : ""} ${step === "order" && !count ? t("order_not_told") : ""}</p>
    ${wrong.length > 0 && html`<ul class="problems">${wrong.map((one) => html`<${Problem} ...${one} t=${t} />`)}</ul>`}
  </li>`;
}

function Shown({ openings, t }) {
  if (!openings.length) return html`<p class="soft">${t("no_cards")}</p>`;
  const head = ["col_card", "col_position", "col_slot", "col_deck", "col_to"].map((key) => html`<th scope="col">${t(key)}</th>`);
  return html`<div class="shown" tabindex="0" role="region" aria-label=${t("cards_shown")}><table><caption>${t("cards_shown")}</caption><thead><tr>${head}</tr></thead>
    <tbody>${openings.map((one) => html`<tr><th scope="row">${one.face === undefined ? cardWords(one.card, t) : t("die_face", { n: one.face })}</th>
      <td>${one.position}</td><td>${one.slot}</td><td>${one.root}</td><td>${t(one.to === "all" ? "to_all" : "to_you")}</td></tr>`)}</tbody></table></div>`;
}

function Result({ bundle, report, ms, own = 0, together = false, withKey, t }) {
  const n = report.problems.length;
  const steps = together ? ["table"] : STEPS;
  const whole = !together && !report.problems.some(({ step }) => step === "form");
  return html`<article class=${`panel result ${n ? "wrong" : "holds"}`}>
    <h2>${n ? t("is_wrong", { n }) : t("all_holds")} <small>${together ? t("of_all") : t("of_hand", { hand: bundle?.hand ?? "?", table: bundle?.table ?? "?" })}</small></h2>
    <ol class="checks">${steps.map((step) => html`<${Step} step=${step} report=${report} withKey=${withKey} t=${t} />`)}</ol>
    ${whole && isOver(bundle) && !bundle.cuts.length && html`<p class="undealt">${t("nothing_dealt")}</p>`}
    ${own > 0 && html`<p class="soft">${t("own_receipts", { n: own })}</p>`}
    ${whole && html`<p class="soft took">${t("took", { rest: ms.toFixed(1), signatures: report.signatures_ms.toFixed(1), by: t(`by_${report.by}`) })}</p><${Shown} openings=${bundle.openings} t=${t} />`}
  </article>`;
}

function OwnHands({ client, t, chosen, onChoose }) {
  const { value, problem } = useAnswer(() => (client.token ? client.hands({ limit: HANDS }) : null), []);
  if (!client.token) return html`<p class="soft">${t("sign_in_first")}</p>`;
  if (problem) return html`<p class="soft" role="alert">${whyRefused(problem, t)}</p>`;
  if (value && !value.hands.length) return html`<p class="soft">${t("no_hands")}</p>`;
  return html`<label class="field"><span>${t("choose_hand")}</span><select name="hand" value=${chosen} onChange=${(event) => onChoose(event.currentTarget.value)}>
    <option value="">${t("choose_none")}</option>
    ${(value?.hands ?? []).map((hand) => html`<option value=${String(hand.id)}>${t("choose_hand_line", { n: hand.number, table: hand.table.name, when: timeWords(hand.started_at, t) })}</option>`)}
  </select></label>`;
}

function Verify({ config }) {
  const [language, setLanguage] = useState(() => (new URLSearchParams(location.search).has("lang") ? null : stored(localStorage, "croupier.settings")?.language) ?? languageOf(config, location.search));
  const t = useMemo(() => translator(language, WORDS), [language]);
  const client = useMemo(() => new CroupierClient({ token: stored(sessionStorage, "croupier.token") }), []);
  const [hand, setHand] = useState(() => new URLSearchParams(location.search).get("hand") ?? "");
  const [results, setResults] = useState(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const form = useRef(null);
  const answer = useRef(null);
  useEffect(() => {
    document.documentElement.lang = t.language;
    document.title = `${t("verify_title")} · Croupier`;
  }, [t]);

  const check = async (event) => {
    event?.preventDefault();
    const { proof, files, key } = form.current.elements;
    const published = key.value.trim();
    setBusy(true);
    setProblem("");
    setResults(null);
    try {
      const texts = await Promise.all([...files.files].map((file) => file.text()));
      if (proof.value.trim()) texts.push(proof.value);
      if (hand) texts.push(JSON.stringify(await client.request("GET", `hands/${hand}/proof`)));
      const found = await checked(texts, published);
      if (found.length) setResults({ found, withKey: Boolean(published) });
      else setProblem(t("nothing_given"));
    } catch (error) {
      setProblem(error instanceof SyntaxError ? t("not_json", { why: error.message }) : t("not_loaded", { why: whyRefused(error, t) }));
    }
    setBusy(false);
  };
  useEffect(() => void (hand && client.token && check()), []);
  useEffect(() => void (results && answer.current?.focus()), [results]);

  const link = (href, key, more) => html`<a href=${href} ...${more}>${t(key)}</a>`;
  const [before, between, after] = t("own_check", { python: "\0", document: "\0" }).split("\0");
  const speak = (code, words) => html`<button type="button" class="btn" lang=${code} aria-pressed=${String(t.language === code)} onClick=${() => setLanguage(code)}>${words}</button>`;
  return html`<main class="page verify">
    <div class="title"><h1>${t("verify_title")}</h1><div class="segments" role="group" aria-label=${t("language")}>${speak("en", "English")}${speak("pl", "Polski")}</div></div>
    <p>${t("verify_lead")}</p>
    <p class="soft">${before}${link(config.python, "own_python", { download: "verify_hand.py" })}${between}${link(config.document, "own_document")}${after} ${link(`/voids/?lang=${t.language}`, "voids_page")}</p>
    <form class="panel asking" ref=${form} onSubmit=${check}>
      <${OwnHands} client=${client} t=${t} chosen=${hand} onChoose=${setHand} />
      <label class="field"><span>${t("choose_file")}</span><input type="file" name="files" multiple accept=".json,application/json" /><small class="soft">${t("choose_file_words")}</small></label>
      <label class="field"><span>${t("paste")}</span><textarea name="proof" rows="5" spellcheck="false" autocomplete="off"></textarea></label>
      <label class="field"><span>${t("key_field")}</span><input name="key" spellcheck="false" autocomplete="off" pattern="\\s*[0-9a-fA-F]{64}\\s*" /></label>
      <p class="note" role="alert">${problem}</p>
      <button class="btn main" disabled=${busy}>${t(busy ? "checking" : "check_now")}</button>
    </form>
    <section class="answer" tabindex="-1" ref=${answer} aria-live="polite">${results?.found.map((one) => html`<${Result} ...${one} withKey=${results.withKey} t=${t} />`)}</section>
    <p>${link("/play/", "back_to_play", { class: "btn" })}</p>
  </main>`;
}

const root = document.getElementById("verify");
root.replaceChildren();
render(html`<${Verify} config=${JSON.parse(document.getElementById("config").textContent)} />`, root);
