// A table: followed by its socket, shown as its family is played, acted at through what is legal.

import { html, useEffect, useErrorBoundary, useReducer, useRef, useState } from "../../vendor/preact-htm.js";
import { choiceWords } from "../choice.js";
import { handShown } from "../display.js";
import { groups } from "../money.js";
import { countdown, cutWords, listed } from "../parts.js";
import { gains, shownWords } from "../ring.js";
import { legalAt, spotNow, spotsOf, spotsTaken } from "../spots.js";
import { Actions } from "./acting.js";
import { BankedActions, BankedFelt, Result, SpotsChoice, useBet } from "./banked.js";
import { pickOf, sorted, tapped } from "./choices.js";
import { Felt, Own } from "./felt.js";
import { stakesOf } from "./lobby.js";
import { lines, nameIn, wagerName } from "./log.js";
import { Naming } from "./naming.js";
import { Leave, SitDown, Tip, TopUp } from "./seats.js";
import { keepReceipt } from "../verify/receipts.js";
import { isSeed } from "./seeds.js";
import { Go, Settings } from "./shell.js";
import { RealityCheck, ThisSession, useStanding } from "./standing.js";
import { Owing, Queue, Staying, useLists } from "./staying.js";
import { Flag } from "./flag.js";
import { asksWords } from "./asking.js";
import { Failed, Loading, timeWords, useFocusKept } from "./ui.js";
import { rack } from "./wagers.js";

const TICK_MS = 250;
const LOG_MOST = 120;
const CAUGHT_UP = 80;
const PAYTABLES = ["pair_plus", "ante_bonus", "six_card", "prime"];

/** The table, and what was told of the hand in play; drawn anew whenever either may look different. */
function useTable(app, id) {
  const [, draw] = useReducer((count) => count + 1, 0);
  const [problem, setProblem] = useState(null);
  const [tries, setTries] = useState(0);
  const table = useRef(null);
  const log = useRef({ hand: null, lines: [] });
  const words = useRef(app);
  words.current = app;
  useEffect(() => {
    const write = (frame, state) => frame.type === "events" && note(log.current, frame, state, words.current);
    const followed = app.client.follow(id, { onFrame: write, onChange: draw, onReceipt: (receipt) => keepReceipt(id, receipt) });
    table.current = null;
    setProblem(null);
    followed.open().then((one) => {
      table.current = one;
      draw();
      return app.client.events(id, { from_seq: Math.max(0, one.state.seq - CAUGHT_UP) }).then(({ frames }) => catchUp(log.current, frames, one.state, words.current));
    }).catch((failure) => table.current === null && setProblem(failure));
    const timer = setInterval(draw, TICK_MS);
    return () => {
      clearInterval(timer);
      followed.close();
    };
  }, [id, tries]);
  return { table: table.current, log: log.current.lines, problem, again: () => setTries(tries + 1) };
}

/** What was told of the hand before this page came to the table. */
function catchUp(log, frames, state, app) {
  const begun = frames.findLastIndex(({ events }) => events.some(({ type }) => type === "hand_opened"));
  const seen = log.lines;
  log.lines = [];
  for (const frame of frames.slice(Math.max(0, begun))) if (frame.seq <= state.seq) note(log, frame, state, app);
  log.lines.push(...seen);
}

function note(log, frame, state, app) {
  for (const event of frame.events) {
    if (event.type === "hand_opened") log.lines = [];
    const told = { t: app.t, amount: app.amountIn(state.table.exponent), mine: state.you?.dealt_as ?? state.you?.seat ?? null, nameOf: nameIn(state.seats) };
    lines(event, told).forEach((line, nth) => log.lines.push({ ...line, key: `${frame.seq}.${log.lines.length}.${nth}` }));
  }
  log.lines = log.lines.slice(-LOG_MOST);
}

function useWallet(app, currency, stack_minor) {
  const [purse, setPurse] = useState(undefined); // null: none in this currency
  useEffect(() => {
    let gone = false;
    if (currency) app.client.wallet().then(({ purses }) => !gone && setPurse(purses.find((one) => one.currency === currency) ?? null), () => {});
    return () => void (gone = true);
  }, [currency, stack_minor === null]);
  return [purse, () => app.client.wallet().then(({ purses }) => setPurse(purses.find((one) => one.currency === currency) ?? null), () => {})];
}

const hasBlinds = ({ table }) => Boolean(table.stakes?.big_blind_minor ?? table.stakes?.blinds_minor?.length);

/** What the table waits for, in a few words. */
function situation({ state, hand, hero, me, seat, t }) {
  const { table, seats } = state;
  if (t.has(`status_${table.status}`) && table.status !== "open") return t(`status_${table.status}`);
  if (hero && seat?.status === "sitting_out") return t("sitting_out");
  if (hero && seat?.status === "leaving") return t("leaving_soon");
  const view = hand?.view;
  if (hand?.voided) return t("void");
  if (table.stopped && !hand) return t("house_stopped");
  if (state.choice) return choiceWords(state, t);
  if (!view || view.over) {
    const playing = seats.filter(({ status }) => status === "playing").length;
    return t(playing >= (table.min_players ?? 2) ? "wait_deal" : "wait_players");
  }
  if (view.family === "banked") {
    if (view.window === "betting") return t(hero && me ? "place_bets" : "bets_open");
    if (!hero) return t("phase_decision");
    return me?.decision ? t(me.decision === "play" ? "you_play" : "decided_fold") : Object.keys(me?.wagers ?? {}).length ? t("phase_decision") : t("no_bet_round");
  }
  if (hero && !me) return t(seat?.owes?.length ? "waits_big" : "wait_next");
  const clock = state.hand?.turn?.clock;
  if (me && view.waiting.includes(me.seat)) return clock ? `${t("your_turn")} · ${t(`clock_${clock}`)}` : t("your_turn");
  if (view.waiting.length > 2) return t("seats_to_act", { n: view.waiting.length });
  if (view.waiting.length) return t("to_decide", { name: listed(view.waiting.map(nameIn(seats)), t) });
  return t("dealing");
}

function Banner({ table, app }) {
  const { t } = app;
  const { link } = table;
  if (table.replaced) {
    return html`<div class="banner" role="alert"><span>${t("replaced_line")}</span><button type="button" class="btn" onClick=${() => table.takeBack()}>${t("play_here")}</button></div>`;
  }
  if (link.code === 4403) return html`<p class="banner" role="alert">${t("not_admitted")}</p>`;
  if (!link.socket && link.tries > 0) return html`<p class="banner" role="alert">${t("reconnecting_line", { n: link.tries })}</p>`;
  if (link.freshness === "stale") return html`<p class="banner" role="alert">${t("stale_line", { s: Math.round(link.age_ms / 1000) })}</p>`;
  return null;
}

function Menu({ state, hand, seat, me, app, doing, open }) {
  const { t } = app;
  return html`<div class="menu">
    ${seat && html`<button type="button" class="btn" onClick=${() => open("top_up")}>${t("top_up")}</button>
      ${seat.status === "sitting_out" ? html`<button type="button" class="btn" onClick=${doing.comeBack}>${t("come_back")}</button>` : html`<button type="button" class="btn" onClick=${() => doing.sitOutAt()}>${t("sit_out")}</button>`}
      <${Staying} seat=${seat} choices=${state.you?.choices} stakes=${state.table.stakes} hasBlinds=${hasBlinds(state)} inHand=${Boolean(state.hand && me)} most_minor=${state.table.buy_in.most_minor} choose=${doing.choose} sitOut=${doing.sitOutAt} t=${t} />
      <button type="button" class="btn" data-move="tip" onClick=${() => open("tip")}>${t("tip")}</button>
      <button type="button" class="btn" data-move="leave" onClick=${() => open("leave")}>${t("leave")}</button>`}
    ${me && hand && html`<button type="button" class="btn" data-move="flag" onClick=${() => open("flag")}>${t("flag_hand")}</button>`}
    <button type="button" class="btn" onClick=${() => open("settings")}>${t("settings")}</button>
  </div>`;
}

function Paytables({ table, t }) {
  const paytables = table.paytables ?? {};
  return PAYTABLES.filter((name) => paytables[name]).map((name) => html`<section key=${name}><h2>${t("paytable", { name: wagerName(name, t) })}</h2>
    <table><tbody>${Object.entries(paytables[name]).sort((a, b) => b[1] - a[1]).map(([hand, odds]) => html`<tr><td>${handWords(hand, t)}</td><td>${groups(String(odds), t.language)}</td></tr>`)}</tbody></table></section>`);
}

const HAND_WORDS = { pl: { royal_flush: "Poker królewski", mini_royal: "Mały poker królewski", straight_flush: "Poker", four_of_a_kind: "Kareta", full_house: "Ful", flush: "Kolor", straight: "Strit", three_of_a_kind: "Trójka", pair: "Para" } };
const handWords = (hand, t) => HAND_WORDS[t.language]?.[hand] ?? hand.charAt(0).toUpperCase() + hand.slice(1).replaceAll("_", " ");

/** How the cards that were shown in this hand stood their check. */
function checkedWords({ found: { hand, isWhole, problems, shown } }, running, t) {
  if (problems.length) return html`<strong>${t("cards_false")}</strong>`;
  if (!isWhole || hand !== running?.id) return t("cards_soon");
  return t("cards_hold", { n: shown });
}

/** The seal of the running hand's deck, who has cut it, what was checked of it, and the reader's own seed for a later one. */
function FairCards({ hand, seeds, barredUntil, proofs, checkCards, t }) {
  const [typed, setTyped] = useState("");
  const [said, setSaid] = useState("");
  const give = (event) => {
    event.preventDefault();
    const isFit = isSeed(typed);
    if (isFit) seeds.choose(typed);
    setSaid(t(isFit ? "seed_taken" : "seed_unfit"));
    if (isFit) setTyped("");
  };
  if (!hand?.root && !seeds) return null;
  return html`<section><h2>${t("fair_cards")}</h2>
    ${hand?.root && html`<p class="small soft">${t("fair_words")}</p><p class="seed">${String(hand.root).match(/.{1,8}/g).join(" ")} ${hand.cut && cutWords(hand.cut, t)}</p>`}
    ${proofs ? html`<p role="status" class="small" data-cards-checked>${checkedWords(proofs, hand, t)}</p>`
      : html`<p><button type="button" class="btn" data-check-cards onClick=${checkCards}>${t("check_cards")}</button></p>`}
    ${seeds && barredUntil && html`<p role="status" class="note">${t("seeds_barred", { time: timeWords(barredUntil, t) })}</p>`}
    ${seeds && !barredUntil && html`<form class="own-seed" onSubmit=${give}>
      <label>${t("own_seed")} <input value=${typed} maxlength="64" autocomplete="off" spellcheck="false" onInput=${(event) => setTyped(event.target.value.trim().toLowerCase())} /></label>
      <button type="submit" class="btn">${t("give_seed")}</button>
      <p role="status" class="small soft">${said}</p></form>`}
  </section>`;
}

function Side({ state, hand, log, me, seat, standing, app, open, doing, t, amount, isOpen, setOpen }) {
  const list = useRef(null);
  useEffect(() => void list.current?.scrollTo?.(0, list.current.scrollHeight), [log.length, isOpen]);
  return html`<aside class=${`side-panel ${isOpen ? "open" : ""}`}>
    <button type="button" class="btn drawer" aria-expanded=${String(isOpen)} onClick=${() => setOpen(!isOpen)}>${t(isOpen ? "hide" : "more_of_table")}</button>
    <section class="menus"><${Menu} state=${state} hand=${hand} seat=${seat} me=${me} app=${app} open=${open} doing=${doing} /></section>
    <section class="told"><h2>${t("this_hand")}</h2>
      <div class="told-list" ref=${list} role="log" aria-live="polite" tabindex="0" aria-label=${t("this_hand")}><ol class="log">${log.map((line) => html`<li key=${line.key} class=${line.street ? "street" : line.strong ? "strong" : ""}>${line.words}</li>`)}
        ${log.length === 0 && html`<li>${t("log_empty")}</li>`}</ol></div></section>
    ${state.table.family === "banked" && html`<${SpotsChoice} state=${state} seat=${seat} choose=${doing.spots} t=${t} />`}
    ${hand?.view.family === "banked" && me?.settled && html`<section><h2>${t("round_result")}</h2><${Result} spot=${me} t=${t} amount=${amount} /></section>`}
    <${ThisSession} standing=${standing} t=${t} amount=${amount} />
    <${Paytables} table=${state.table} t=${t} />
    ${state.table.family === "banked" && html`<section><a href=${`/odds/${state.table.id}`} target="_blank" rel="noopener">${t("odds_page")}</a></section>`}
    <${FairCards} hand=${hand} seeds=${doing.seeds} barredUntil=${doing.seedsBarredUntil} proofs=${doing.proofs} checkCards=${doing.checkCards} t=${t} />
  </aside>`;
}

/** What the hand brought its reader, once it is over. */
function outcome(hand, hero, t, amount) {
  const view = hand?.view;
  if (!view?.over || !hero || hand.voided) return null;
  const net = hand.result?.nets_minor?.[hero] ?? hand.result?.nets_minor?.[String(hero)];
  const won = view.family === "bluff" ? view.award?.winners?.[hero] : gains(view)[hero];
  if (won) return { kind: "pay", words: t("you_win", { amount: amount(won) }) };
  if (net < 0) return { kind: "take", words: t("you_lose", { amount: amount(-net) }) };
  return null;
}

/** What the reader did last on this street. */
function deedWords(me, t, amount) {
  if (!me?.last || !t.has(`me_${me.last.name}`)) return null;
  const { name, to_minor } = me.last;
  return `${t(`me_${name}`, me.last)}${to_minor && name !== "draw" ? ` ${amount(to_minor)}` : ""}`;
}

function Hero({ hand, me, hero, seat, pick, picked, onPick, onSit, full, lists, t, amount }) {
  if (!hero) {
    return html`<div class="hero watching"><div><h2>${t("watching")}</h2><p class="soft">${t(full ? "table_full" : "choose_seat")}</p></div>
      <${Queue} lists=${lists} full=${full} onSit=${onSit} t=${t} />
      ${!full && html`<button type="button" class="btn main" data-move="sit" onClick=${() => onSit(null)}>${t("sit_down")}</button>`}</div>`;
  }
  const view = hand?.view;
  const result = outcome(hand, hero, t, amount);
  const now = me && view && !view.over && view.waiting.includes(hero);
  const shown = view?.shown?.[hero];
  const status = result ? html`<span class=${`mark ${result.kind}`}>${result.words}</span>`
    : me?.status === "folded" ? t("you_folded") : me?.status === "all_in" && !view.over ? t("you_all_in") : now ? t("your_turn") : deedWords(me, t, amount) ?? t("your_seat");
  return html`<div class=${`hero ${now ? "now" : ""}`}>
    ${me && html`<${Own} player=${me} view=${view} picked=${picked} pick=${pick} onPick=${onPick} wins=${Boolean(gains(view)[hero])} t=${t} />`}
    <div class="words"><h2>${status}</h2>
      ${shown && html`<p>${shownWords(view, hero, t)}</p>`}
      ${me?.declares && html`<p>${t("me_declares", { side: t.has(`side_${me.declares}`) ? t(`side_${me.declares}`) : me.declares })}</p>`}
      <p class="soft">${t("stack")} <b>${amount(me?.stack_minor ?? seat?.stack_minor ?? 0)}</b>${me?.bet_minor > 0 && html` · ${t("you_have_in", { amount: amount(me.bet_minor) })}`}</p></div>
    ${view?.button === hero && html`<i class="dealer" role="img" aria-label=${t("button")}>D</i>`}
  </div>`;
}

export function TablePage({ app, id }) {
  const { table, problem, again, log } = useTable(app, id);
  const { t } = app;
  const [broken, mend] = useErrorBoundary((error) => console.error(error));
  if (broken) return html`<main class="page"><${Failed} problem=${broken} again=${mend} t=${t} /></main>`;
  if (problem) return html`<main class="page"><${Failed} problem=${problem} again=${again} t=${t} /><${Go} app=${app} to="/play/" class="btn">${t("back_to_tables")}</${Go}></main>`;
  if (!table?.state) return html`<main class="page"><${Loading} t=${t} /></main>`;
  return html`<${Seated} app=${app} table=${table} log=${log} />`;
}

function Seated({ app, table, log }) {
  const { t, client } = app;
  const { state, link } = table;
  const amount = app.amountIn(state.table.exponent);
  const serverNow = link.serverNow();
  const shown = handShown(state, serverNow);
  const hand = shown?.view ? shown : null;
  const hero = state.you?.seat ?? null;
  const [looked, setLooked] = useState(null);
  const mine = state.hand ? state.you?.dealt_as ?? null : hero;
  const own = state.table.family === "banked" && hero ? spotsOf(state, hand?.view, mine ?? hero) : [];
  const dealt = own.length && mine !== null ? spotNow(own, hand?.view?.waiting ?? [], looked) : mine;
  const seat = state.seats.find((one) => one.seat === hero);
  const banked = state.table.family === "banked";
  const people = hand && (hand.view.players ?? hand.view.spots);
  const me = dealt !== null ? people?.find((one) => one.seat === dealt) ?? null : null;
  const stack_minor = me && state.hand ? me.stack_minor : seat?.stack_minor ?? null;
  const [purse, reloadPurse] = useWallet(app, state.table.currency, stack_minor);
  const { standing, acknowledge } = useStanding(app, table, state.table.currency);
  const [dialog, setDialog] = useState(null);
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [tipping, setTipping] = useState(0);
  const [choice, setChoice] = useState({ turn_id: null, picked: [] });
  const betting = useBet(hand, banked ? me : null);
  const chips = banked ? rack(state.table.stakes?.limits ?? { ante: {} }, state.table.exponent ?? 0) : [];
  const [chip, setChip] = useState(chips[1] ?? chips[0] ?? 1);
  const { turn } = table;
  const picks = pickOf(sorted(table.legal).pick);
  const picked = choice.turn_id === turn?.turn_id ? choice.picked : [];
  document.title = `${table.asked && !banked ? `● ${t("your_turn")} · ` : ""}${state.table.name} · Croupier`;

  const act = async (action) => {
    setBusy(true);
    try {
      await table.act(own.length > 1 ? { ...action, seat: dealt } : action);
    } catch (refusal) {
      app.refused(refusal);
      table.refresh();
    }
    setBusy(false);
  };
  const run = (ask, done) => async () => {
    let refused = null;
    try {
      done(await ask());
    } catch (refusal) {
      refused = refusal;
      app.refused(refusal);
    }
    table.refresh();
    reloadPurse();
    return refused;
  };
  const close = () => setDialog(null);
  const doing = {
    sitOutAt: (at) => run(() => client.sitOut(table.id, at), () => {})(),
    choose: (choices) => run(() => client.choose(table.id, choices), () => {})(),
    spots: (count) => run(() => client.spots(table.id, count), () => {})(),
    comeBack: run(() => client.comeBack(table.id), () => {}),
    seeds: seat ? table.seeds : null,
    seedsBarredUntil: table.seedsBarredUntil,
    proofs: table.proofs,
    checkCards: () => table.checkCards(),
  };
  const sit = async (minor, invitation) => run(() => client.sit(table.id, { seat: dialog.seat, buy_in_minor: minor, invitation }), (answer) => {
    close();
    app.toast(t("seated", { n: answer.seat }), "good");
  })();
  const topUp = async (minor) => run(() => client.topUp(table.id, minor), () => {
    close();
    app.toast(t("top_up_done", { amount: amount(minor) }), "good");
  })();
  const inHand = Boolean(state.hand && me);
  const tip = async (minor) => run(() => client.tip(table.id, minor), () => {
    close();
    app.toast(t("tip_done", { amount: amount(minor) }), "good");
  })();
  const tipLater = (minor) => {
    setTipping(minor);
    close();
    app.toast(t("tip_waits", { amount: amount(minor) }));
  };
  useEffect(() => {
    if (!tipping || inHand) return;
    setTipping(0);
    if (hero) tip(tipping);
  }, [tipping, inHand]);
  const leave = async () => run(() => client.leave(table.id), (answer) => {
    close();
    if (answer.left) {
      app.toast(t("left_with", { amount: `${amount(answer.paid_out_minor)} ${state.table.currency}` }), "good");
      app.go("/play/");
    } else app.toast(t("leaving_soon"));
  })();

  const isStale = link.freshness === "stale"; // then nothing may be decided by what stands here
  const full = spotsTaken(state.seats) >= state.table.max_seats;
  const spotTable = { state, legal: legalAt(table.legal, dealt) };
  const onSit = hero ? null : (one) => setDialog({ name: "sit", seat: one });
  const lists = useLists(client, table.id, !hero && full);
  const onMove = (to) => run(() => client.changeSeat(table.id, to), ({ seat: at, moves_to }) => app.toast(t(moves_to ? "moves_later" : "seated", { n: moves_to ?? at }), "good"))();
  const words = situation({ state, hand, hero, me, seat, t });
  const time = countdown(turn, serverNow);
  const root = useRef(null);
  useFocusKept(root, [turn?.turn_id, table.legal.length, busy]);
  const felt = { state, hand: hand?.voided ? null : hand, hero, onSit, onMove, t, amount };
  const cash_minor = purse?.cash.amount_minor ?? 0;
  return html`<div ref=${root} class=${`client ${banked ? "against" : "ring"} ${isStale ? "stale" : ""}`}>
    <header class="top">
      <${Go} app=${app} to="/play/" class="goback" aria-label=${t("back_to_tables")}><i class="arrow" aria-hidden="true"></i></${Go}>
      <h1>${state.table.game.name} <span>${stakesOf(state.table, amount, t)}</span><small><i class=${`live ${link.freshness}`} role="img" aria-label=${t(link.freshness)}></i><span class="in-brief" aria-hidden="true">${stakesOf(state.table, amount, t)} · </span>${state.table.name}${hand && ` · ${t(banked ? "round_no" : "hand_no", { n: groups(String(hand.number), t.language) })}`}${hero && ` · ${t(banked ? "spot_no" : "seat_n", { n: own.length > 1 ? `${own[0]}–${own.at(-1)}` : hero }).toLowerCase()}`}</small></h1>
      <p class="purse">${stack_minor !== null ? amount(stack_minor) : purse && amount(cash_minor)}<small>${purse && (stack_minor !== null ? t("purse_wallet", { amount: `${amount(cash_minor)} ${state.table.currency}` }) : `${state.table.currency} ${t("in_wallet")}`)}</small></p>
    </header>
    <${Banner} table=${table} app=${app} />
    <p class="unseen" role="status">${hero && table.asked ? asksWords(spotTable.legal, hand?.view, me, t, amount) : ""}</p>
    <main class="floor">${banked
      ? html`<${BankedFelt} ...${felt} hero=${dealt ?? hero} own=${own} onLook=${setLooked} table=${spotTable} betting=${betting} chip_minor=${chip}>${!hero && html`<div class="hero watching"><div><h2>${t("watching")}</h2><p class="soft">${t(full ? "table_full" : "choose_spot")}</p></div>
          ${!full && html`<button type="button" class="btn main" data-move="sit" onClick=${() => onSit(null)}>${t("sit_down")}</button>`}</div>`}</${BankedFelt}>`
      : html`<${Felt} ...${felt}><${Hero} hand=${felt.hand} me=${me} hero=${hero} seat=${seat} pick=${picks} picked=${picked} full=${full} lists=${lists} onSit=${onSit} t=${t} amount=${amount}
          onPick=${(place) => setChoice({ turn_id: turn.turn_id, picked: tapped(picked, place, picks) })} /></${Felt}>`}</main>
    ${hero && seat?.status === "sitting_out" && !table.asked ? html`<div class="act resting"><p><b>${t("sitting_out")}</b> <span class="soft">${t("sitting_out_words")}</span></p><button type="button" class="btn main" onClick=${doing.comeBack}>${t("come_back")}</button></div>`
      : hero && !me && !banked && seat?.status === "playing" && seat.owes?.length ? html`<${Owing} seat=${seat} choices=${state.you?.choices} stakes=${state.table.stakes} choose=${doing.choose} t=${t} amount=${amount} />`
      : hero && state.choice ? html`<${Naming} table=${table} busy=${busy || isStale} act=${act} time=${time} t=${t} />`
      : hero && banked ? html`<${BankedActions} table=${spotTable} hero=${dealt ?? hero} hand=${state.hand?.view ? hand : null} betting=${betting} chip=${chip} setChip=${setChip} busy=${busy || isStale} sending=${busy} act=${act} time=${time} words=${words} t=${t} amount=${amount} />`
      : hero ? html`<${Actions} table=${table} me=${me} pick=${picks} picked=${picked} busy=${busy || isStale} sending=${busy} act=${act} time=${time} words=${words} sound=${app.settings.sound === "on"} t=${t} amount=${amount} />` : null}
    <${Side} state=${state} hand=${hand} log=${log} me=${me} seat=${seat} standing=${standing} app=${app} doing=${doing} open=${(name) => { setOpen(false); setDialog({ name }); }} t=${t} amount=${amount} isOpen=${isOpen} setOpen=${setOpen} />
    ${dialog?.name === "sit" && purse !== undefined && html`<${SitDown} table=${state.table} cash_minor=${cash_minor} send=${sit} onClose=${close} t=${t} amount=${amount} />`}
    ${dialog?.name === "top_up" && purse && html`<${TopUp} table=${state.table} stack_minor=${stack_minor ?? 0} cash_minor=${cash_minor} send=${topUp} onClose=${close} t=${t} amount=${amount} />`}
    ${dialog?.name === "tip" && html`<${Tip} table=${state.table} stack_minor=${stack_minor ?? 0} inHand=${inHand} send=${inHand ? tipLater : tip} onClose=${close} t=${t} amount=${amount} />`}
    ${dialog?.name === "leave" && html`<${Leave} stack_minor=${stack_minor ?? 0} inHand=${inHand} currency=${state.table.currency} send=${leave} onClose=${close} t=${t} amount=${amount} />`}
    ${dialog?.name === "flag" && hand && html`<${Flag} hand=${hand} app=${app} onClose=${close} />`}
    ${hero && !dialog && html`<${RealityCheck} standing=${standing} acknowledge=${acknowledge} t=${t} amount=${amount} />`}
    ${dialog?.name === "settings" && html`<${Settings} app=${app} onClose=${close} />`}
  </div>`;
}
