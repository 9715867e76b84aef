// The dealer display: the page's entry. State comes in by the link, views are functions of it.

import { html, render } from "../vendor/preact-htm.js";
import { Banked, deciders, progress, stage } from "./banked.js";
import { Bluff, bluffSpoken } from "./bluff.js";
import { choiceWords } from "./choice.js";
import { costsWords } from "./costs.js";
import { Console } from "./console.js";
import { Figures } from "./figures.js";
import { DEALER_WORDS } from "./dealer_words.js";
import { languageOf, translator } from "./i18n.js";
import { Idle, Ledger, nextGame } from "./idle.js";
import { groups } from "./money.js";
import { Both, Duo, cardText, countdown, cutWords, listed, shortRoot, span_ms, teller } from "./parts.js";
import { TableLink, browserWorld } from "./protocol.js";
import { reduce } from "./reducer.js";
import { Ring, potRows } from "./ring.js";
import { renewer } from "./renewing.js";
import { totals } from "./settlement.js";
import { cueOf, momentOf, player } from "./sounds.js";

const TICK_MS = 250;
const RESULT_MS = 45000;
const RESYNC_NOTE_MS = 6000;
const VOID_MS = 20000;
const LONG_TITLE = 32; // letters of a game's name; a longer one is set smaller
const BEGINS = { "postdraw/draw": "draw", "deal/pass": "pass" }; // streets that are named by the bets after what begins them

/** The hand on the screen: the one in play, else the last one while its result is fresh. */
export function handShown(state, serverNow) {
  if (state.hand?.view) return state.hand;
  if (state.choice) return null; // the announcement of the next game takes its place
  const last = state.last_hand;
  const life = last?.voided ? VOID_MS : RESULT_MS;
  return last?.view && span_ms(last.marks?.over_at ?? last.marks?.settled_at, serverNow) < life ? last : null;
}

function phaseWords(hand, { family, stakes }, serverNow, t) {
  if (!hand) return t(family === "banked" ? "phase_between_rounds" : "phase_idle");
  if (hand.voided) return t("void");
  const { view } = hand;
  if (view.family === "banked") {
    const now = stage(hand, serverNow);
    return t(now === "settlement" && progress(hand, serverNow, stakes?.settle_seats).all ? "phase_paid" : `phase_${now}`);
  }
  if (view.family === "bluff") return t(view.over ? "phase_over" : view.waiting.length ? "phase_bidding" : "phase_rolling");
  if (view.awards?.length || view.over) return t(Object.keys(view.shown ?? {}).length ? "phase_showdown" : "phase_over");
  if (!view.street) return t("phase_dealing");
  const street = BEGINS[`${view.street}/${view.window}`] ?? view.street;
  return t.has(`street_${street}`) ? t(`street_${street}`) : street.replaceAll("_", " ");
}

/** "No limit 5/10", "Limit 10/20 · ante 2 · bring-in 5": nothing for a game against the house. */
export function stakesWords(table, amount, t) {
  const { limit, small_blind_minor: small, big_blind_minor: big, blinds_minor, ante_minor: ante, bring_in_minor: bringIn,
    small_bet_minor: smallBet, big_bet_minor: bigBet, cap_big_blinds: cap } = table.stakes ?? {};
  const blinds = blinds_minor ?? (big ? [small ?? Math.floor(big / 2), big] : []);
  const fixed = limit === "fixed" && (smallBet ?? big);
  const bets = fixed ? [fixed, bigBet ?? 2 * fixed] : blinds;
  const parts = [
    bets.length > 0 && bets.map(amount).join("/"),
    ante > 0 && `${t("did_ante")} ${amount(ante)}`,
    bringIn > 0 && `${t("bring_in")} ${amount(bringIn)}`,
    cap > 0 && t("cap_of", { n: cap }),
  ].filter(Boolean).join(" · ");
  return [t.has(`limit_${limit}`) ? t(`limit_${limit}`) : "", parts].filter(Boolean).join(" ");
}

function Link({ link, t }) {
  const kind = { live: "", lag: "lag", stale: "old" }[link.freshness];
  const s = (link.age_ms / 1000).toFixed(link.age_ms < 10000 ? 1 : 0);
  const resynced = link.resyncedAt !== null && link.world.now() - link.resyncedAt < RESYNC_NOTE_MS;
  return html`${resynced && html`<p class="link back"><b>${t("resynced")}</b></p>`}
    <p class=${`link ${kind}`}><b>${t(link.freshness)}</b> <span>${t("age_s", { s: t.language === "pl" ? s.replace(".", ",") : s })}</span></p>`;
}

/** Of a mix: its name and the game that is dealt, or comes next. */
function gameWords(table, hand) {
  const name = table.game?.name ?? table.family;
  const dealt = hand?.game ?? table.next_game;
  return table.family === "mixed" && dealt ? `${name} · ${dealt.name}` : name;
}

function Dealer({ state, t }) {
  const { dealer, floor_calls: calls = [] } = state;
  if (!dealer && !calls.length) return null;
  return html`<div class="staff">${calls.length > 0 && html`<p class="called" role="status"><b><${Duo} t=${t} word="floor_called" /></b> ${[...new Set(calls.map(({ why }) => t(`why_${why}`)))].join(", ")}</p>`}
    ${dealer && html`<p class=${dealer.break_since ? "on-break" : ""}>${t(dealer.break_since ? "dealer_break" : "dealer", { name: dealer.name })}</p>`}</div>`;
}

/** A bomb pot that comes next, or soon. */
function specialWords({ specials }, t) {
  if (specials?.bomb_pot) return t("bomb_next");
  return specials?.in_hands > 0 && specials.in_hands <= 5 ? t("bomb_in", { n: specials.in_hands }) : null;
}

function Head({ state, hand, link, serverNow, t, amount }) {
  const { table } = state;
  const number = hand ? groups(String(hand.number), t.language) : null;
  const name = String(table.name ?? table.id);
  const next = hand && nextGame(state, hand); // between hands the title and the table itself say it
  const title = gameWords(table, hand);
  const stakes = stakesWords(table.family === "mixed" && hand?.stakes ? hand : table, amount, t);
  return html`<header class="head">
    <div class="title"><h1 class=${title.length > LONG_TITLE ? "lengthy" : ""}>${title}</h1>
    <div class="facts">
      <p>${/^\d+$/.test(name) ? t("table_n", { name }) : name}</p>
      ${number && html`<p>${t(table.family === "banked" ? "round_n" : "hand_n", { n: number })}</p>`}
      <p>${stakes} ${table.currency}</p>
      ${state.hit && html`<p class="link"><b>${t("jackpot_hit", { amount: amount(state.hit.amount_minor) })}</b></p>`}
      ${specialWords(state, t) && html`<p><b>${specialWords(state, t)}</b></p>`}
      ${state.misdeal && html`<p>${t(`misdeal_${state.misdeal.verdict}`)}</p>`}
      ${hand?.drawn && html`<p>${t("button_drawn", { seat: hand.drawn.button, card: cardText(hand.drawn.cards[hand.drawn.button]) })}</p>`}
      ${costsWords(table, amount, t) && html`<p class="spare">${costsWords(table, amount, t)}</p>`}
      ${hand?.root && html`<p class="spare">${t("root", { root: shortRoot(hand.root) })} ${hand.cut && cutWords(hand.cut, t)}</p>`}
    </div></div>
    <${Dealer} state=${state} t=${t} />
    <div class="moment">${next && html`<p class="link next"><b>${t("choice_next", { game: next.name })}</b></p>`}
      <p class="phase"><${Both} t=${t} say=${(one) => (state.choice ? one("phase_choice") : phaseWords(hand, table, serverNow, one))} /></p></div>
    <${Link} link=${link} t=${t} />
  </header>`;
}

function Alarm({ link, t }) {
  const reason = link.code === 4403 ? t("not_allowed") : link.socket ? t("catching_up") : t("reconnecting", { n: Math.max(1, link.tries) });
  const s = Math.floor(link.age_ms / 1000);
  return html`<div class="alarm">
    <div role="alert"><h2><${Duo} t=${t} word="do_not_pay" /></h2><p>${reason}</p></div>
    <p class="age">${t("data")}<b>${s}</b>${t("seconds_old", { n: s })}</p>
  </div>`;
}

/** What a screen reader is told: one sentence for the moment. */
function spoken(hand, table, serverNow, t, amount) {
  if (!hand) return phaseWords(hand, table, serverNow, t);
  if (hand.voided) return `${t("void")}. ${t("void_words")}`;
  const { view } = hand;
  if (view.family === "banked") {
    const now = stage(hand, serverNow);
    if (now === "betting") return t("place_bets");
    if (now === "closed") return t("no_more_bets");
    if (now === "decision") {
      const all = deciders(view);
      return t("decided_n_of_m", { n: all.filter(({ decision }) => decision).length, m: all.length });
    }
    if (now === "empty") return t("no_bets");
    const run = progress(hand, serverNow, table.stakes?.settle_seats);
    if (run.all) return t("all_paid");
    const { pay_minor, take_minor } = totals(view.spots.find(({ seat }) => seat === run.now).settled);
    const words = [pay_minor && `${t("pay")} ${amount(pay_minor)}`, take_minor && `${t("take")} ${amount(take_minor)}`].filter(Boolean).join(", ");
    return t("say_spot", { n: run.now, words: words || t("push") });
  }
  if (view.family === "bluff") return bluffSpoken(hand, serverNow, t);
  const rows = potRows(view);
  if (rows.length) {
    return rows.flatMap(({ shares }) => shares).flatMap(({ winners }) => Object.entries(winners))
      .map(([seat, sum]) => `${t("seat_wins", { seat })}: ${amount(sum)}`).join(". ");
  }
  if (!view.waiting.length) return phaseWords(hand, table, serverNow, t);
  const bringIn = hand.turn?.bring_in_minor;
  const owe = bringIn ? `${amount(bringIn)} ${t("to_bring_in")}`
    : view.call_minor > 0 ? t("say_to_call", { amount: amount(view.call_minor) }) : t("may_check");
  return t("say_turn", { n: view.waiting.length, seats: listed(view.waiting, t), owe });
}

/** The whole of a display, as a function of its link's state. */
export function Screen({ link, figures = null, t, deeds_url }) {
  const { state } = link;
  const serverNow = link.serverNow();
  const amount = teller(state.table, t.language);
  const hand = handShown(state, serverNow);
  const live = hand?.voided ? null : hand;
  const stale = link.freshness === "stale";
  const banked = state.table.family === "banked";
  const ledger = banked && !hand?.voided && html`<${Ledger} figures=${figures} family="banked" t=${t} amount=${amount} />`;
  const idle = hand?.voided ? null : html`<${Idle} state=${state} figures=${banked ? null : figures} serverNow=${serverNow} t=${t} amount=${amount} />`;
  const Table = { banked: Banked, bluff: Bluff }[live?.view.family ?? state.table.family] ?? Ring;
  return html`
    <${Head} state=${state} hand=${hand} link=${link} serverNow=${serverNow} t=${t} amount=${amount} />
    <${Table} state=${state} hand=${live} serverNow=${serverNow} idle=${idle} ledger=${ledger} t=${t} amount=${amount} />
    ${hand?.voided && html`<div class="voided" role="alert"><h2><${Duo} t=${t} word="void" /></h2><p>${typeof hand.voided === "string" ? `${hand.voided}. ` : ""}${t("void_words")}</p></div>`}
    ${deeds_url && html`<${Console} state=${state} stale=${stale} url=${deeds_url} t=${t} />`}
    ${stale && html`<${Alarm} link=${link} t=${t} />`}
    <p class="heard" role="status">${stale ? "" : state.choice ? choiceWords(state, t) : spoken(hand, state.table, serverNow, t, amount)}</p>
    <div class=${`deadman ${Math.floor(link.world.now() / 1000) % 2 ? "odd" : "even"}`} aria-hidden="true">${t("frozen")}</div>`;
}

const read = (id) => JSON.parse(document.getElementById(id).textContent);

function start() {
  const config = read("config");
  const page = document.documentElement;
  const t = translator(languageOf(config, location.search), DEALER_WORDS);
  page.lang = t.language;
  document.title = `${t("title")} · ${config.table_id}`;
  for (const name of ["metres", "density"]) {
    const value = Number(page.dataset[name]);
    if (value > 0) page.style.setProperty(`--${name}`, String(value));
  }
  const root = document.getElementById("display");
  let drawn = false;
  let broken = false;
  const draw = () => {
    drawn = false;
    if (broken) return void renew("broken");
    root.classList.toggle("stale", link.freshness === "stale");
    try {
      render(html`<${Screen} link=${link} figures=${figures.held} t=${t} deeds_url=${config.deeds_url} />`, root);
    } catch (error) {
      // Half a screen is worse than none: what stands there may be of two different moments.
      console.error(error);
      broken = true;
      root.replaceChildren(Object.assign(document.createElement("p"), { className: "deadman broken", textContent: t("frozen") }));
      return undefined;
    }
    heed();
    return undefined;
  };
  const renew = renewer();
  const sound = config.sounds ? player() : () => {};
  let moment = null;
  // What follows from the moment besides its picture: a cue, and a newer page between hands.
  const heed = () => {
    const { state } = link;
    const turn = state.hand?.turn ?? null;
    const now = momentOf(state, link.freshness === "stale", countdown(turn, link.serverNow())?.left_s ?? null);
    const cue = moment && cueOf(moment, now);
    moment = now;
    if (cue) sound(cue);
    figures.look(state);
    if (link.outdated && !state.hand) renew("build");
  };
  const change = () => {
    if (!drawn) requestAnimationFrame(draw);
    drawn = true;
  };
  const figures = new Figures({ url: config.figures_url, onChange: change });
  const link = new TableLink({
    config, reduce, world: browserWorld(),
    state: reduce(null, { type: "snapshot", state: read("snapshot") }),
    onReload: renew,
    onChange: change,
  });
  root.replaceChildren(); // until now it said that nothing has started
  draw();
  link.start();
  setInterval(draw, TICK_MS);
}

if (typeof document !== "undefined" && document.getElementById("display")) start();
