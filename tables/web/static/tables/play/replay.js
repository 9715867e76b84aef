// One hand, read step by step from its frames: the same reducer and the same felt as at the table.

import { html, useEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { groups } from "../money.js";
import { gains } from "../ring.js";
import { reduce } from "../reducer.js";
import { spotNow, spotsOf } from "../spots.js";
import { VERIFY_WORDS } from "../verify/words.js";
import { BankedFelt, Result } from "./banked.js";
import { Felt, Own } from "./felt.js";
import { Flag } from "./flag.js";
import { lines, nameIn } from "./log.js";
import { Go } from "./shell.js";
import { Failed, Loading, isTyping, timeWords, useAnswer, useKeys } from "./ui.js";

const STEP_MS = 1100;
const NO_BET = { bet: { wagers: {}, former: [] }, setBet: () => {}, former: null };

async function load(client, id) {
  const hand = await client.hand(id);
  const [{ table }, { hands }] = await Promise.all([client.table(hand.table), client.hands({ cursor: id + 1, limit: 1 })]);
  const own = hands[0]?.id === id ? hands[0] : null;
  return { hand, table, seat: own?.seat ?? null };
}

/** Every moment of the hand: the state after each event that shows, and what it said. */
export function moments({ hand, table, seat }, told) {
  const opened = hand.frames.flatMap(({ events }) => events).find(({ type }) => type === "hand_opened")?.public;
  if (!opened) return [];
  const seats = opened.seats.map((one) => ({ ...one, status: "playing" }));
  const snapshot = { table: { ...table, game: opened.game ?? table.game, status: "open" }, seq: 0, server_time: hand.started_at, seats, hand: null, last_hand: null, you: { seat, legal_actions: [] } };
  let state = reduce(null, { type: "snapshot", state: snapshot });
  const found = [];
  for (const frame of hand.frames) {
    for (const event of frame.events) {
      // A seat that changes hands afterwards is no part of this one.
      if (["seat_taken", "seat_left", "seat_changed", "table_changed"].includes(event.type)) continue;
      state = reduce(state, { ...frame, events: [event] });
      const words = lines(event, { ...told, mine: seat, nameOf: nameIn(seats) });
      if (words.length) found.push({ state, words, at: frame.at });
    }
  }
  return found;
}

export function Replay({ app, id }) {
  const { t, client } = app;
  const { value, problem, reload } = useAnswer(() => load(client, id), [id]);
  if (problem && !value) return html`<main class="page"><${Failed} problem=${problem} again=${reload} t=${t} /><${Go} app=${app} to="/play/hands" class="btn">${t("all_hands")}</${Go}></main>`;
  if (!value) return html`<main class="page"><${Loading} t=${t} /></main>`;
  return html`<${Read} app=${app} value=${value} />`;
}

function Read({ app, value }) {
  const { t } = app;
  const { hand, table, seat } = value;
  const amount = app.amountIn(table.exponent);
  const steps = useMemo(() => moments(value, { t, amount }), [value, t]);
  const [place, setPlace] = useState(0);
  const [running, setRunning] = useState(false);
  const [looked, setLooked] = useState(null);
  const [flags, setFlags] = useState(false);
  const last = steps.length - 1;
  const go = (to) => setPlace(Math.max(0, Math.min(last, to)));
  // From wherever it stands by then: keys come faster than pictures.
  const step = (by) => setPlace((one) => Math.max(0, Math.min(last, one + by)));
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(() => setPlace((one) => Math.min(last, one + 1)), STEP_MS);
    return () => clearInterval(timer);
  }, [running, last]);
  useEffect(() => void (place >= last && setRunning(false)), [place]);
  useKeys((event) => {
    if (isTyping(event) || event.target.matches?.("input")) return;
    if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(last);
    else return;
    event.preventDefault();
  });
  const { state } = steps[place] ?? {};
  const now = state && (state.hand ?? state.last_hand);
  document.title = `${t("replay_title", { game: table.game.name, n: hand.number })} · Croupier`;
  const people = now?.view.players ?? now?.view.spots;
  const own = seat && now?.view.family === "banked" ? spotsOf(state, now.view, seat) : [];
  const hero = own.length ? spotNow(own, [], looked) : seat;
  const me = people?.find((one) => one.seat === hero);
  const felt = { state, hand: now, hero: me ? hero : null, t, amount };
  const button = (to, key, kind, off) => html`<button type="button" class="btn" aria-label=${t(key)} disabled=${off} onClick=${() => { setRunning(false); go(to); }}><i class=${`sign ${kind}`} aria-hidden="true"></i></button>`;
  return html`<main class="page replay">
    <div class="title"><${Go} app=${app} to="/play/hands" class="goback" aria-label=${t("all_hands")}><i class="arrow" aria-hidden="true"></i></${Go}>
      <h1>${t("replay_title", { game: table.game.name, n: groups(String(hand.number), t.language) })}<small>${table.name} · ${timeWords(hand.started_at, t)}</small></h1></div>
    <div class="reading">
      <section class="floor">${!now ? null : now.view.family === "banked"
        ? html`<${BankedFelt} ...${felt} own=${own} onLook=${setLooked} betting=${{ ...NO_BET, standing: me?.wagers ?? {} }} chip_minor=${0}>${me?.settled && html`<div class="panel"><${Result} spot=${me} t=${t} amount=${amount} /></div>`}</${BankedFelt}>`
        : html`<${Felt} ...${felt}>${me && html`<div class="hero"><${Own} player=${me} view=${now.view} wins=${Boolean(gains(now.view)[seat])} t=${t} />
            <div class="words"><h2>${t("your_seat")}</h2><p class="soft">${t("stack")} <b>${amount(me.stack_minor)}</b>${me.bet_minor > 0 ? ` · ${t("you_have_in", { amount: amount(me.bet_minor) })}` : ""}</p></div></div>`}</${Felt}>`}</section>
      <div class="controls">
        <p class="soft" role="status">${t("step_n", { n: place + 1, m: steps.length })}: <b>${steps[place]?.words.at(-1)?.words}</b></p>
        <input type="range" min="0" max=${Math.max(0, last)} value=${place} aria-label=${t("steps")} aria-valuetext=${t("step_n", { n: place + 1, m: steps.length })} onInput=${(event) => { setRunning(false); go(Number(event.currentTarget.value)); }} />
        <div class="buttons">${button(0, "first_step", "first", place === 0)}${button(place - 1, "step_back", "back-one", place === 0)}
          <button type="button" class="btn main" onClick=${() => { if (place >= last) go(0); setRunning(!running); }}>${t(running ? "pause" : "play_on")}</button>
          ${button(place + 1, "step_on", "on-one", place >= last)}${button(last, "last_step", "last", place >= last)}</div>
        <div class="answers"><a class="btn" href=${`/verify/?hand=${hand.id}&lang=${t.language}`}>${VERIFY_WORDS[t.language].verify_this}</a>
          ${seat && html`<button type="button" class="btn" data-move="flag" onClick=${() => setFlags(true)}>${t("flag_hand")}</button>`}</div>
        ${flags && html`<${Flag} hand=${hand} app=${app} onClose=${() => setFlags(false)} />`}
      </div>
      <ol class="log" aria-label=${t("steps")}>${steps.map((step, nth) => step.words.map((line, part) => html`<li key=${`${nth}.${part}`} class=${line.street ? "street" : line.strong ? "strong" : ""}>
        <button type="button" aria-current=${nth === place ? "step" : null} onClick=${() => { setRunning(false); go(nth); }}>${line.words}</button></li>`))}</ol>
    </div>
  </main>`;
}
