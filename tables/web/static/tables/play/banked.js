// A game against the house as one player sees it: the dealer's cards, own wagers, own cards.

import { html, useRef, useState } from "../../vendor/preact-htm.js";
import { Backs, Card } from "../cards.js";
import { handName, outcomeWords } from "../i18n.js";
import { range } from "../money.js";
import { playerName } from "../parts.js";
import { lines as resultLines, oddsOf } from "../settlement.js";
import { sitter } from "../spots.js";
import { Time } from "./acting.js";
import { wagerName } from "./log.js";
import { Net, isTyping, useKeys } from "./ui.js";
import { clear, isSame, needs, put, rack, rebet, sum, undo } from "./wagers.js";

const ORDER = ["six_card", "prime", "pair_plus", "ante"];
const SHAPE = { ante: "box", play: "box" };
const VALUES = { 1: "v1", 5: "v5", 25: "v25", 100: "v100", 500: "v500", 1000: "v1k" };

const chipClass = (minor, exponent) => VALUES[minor / 10 ** exponent] ?? "v1";

/** The largest chip an amount holds, as its face. */
function topChip(minor, exponent) {
  const value = Math.floor(minor / 10 ** exponent);
  return [1000, 500, 100, 25, 5, 1].find((one) => one <= value) ?? 1;
}

function Stake({ minor, exponent, amount, soft }) {
  const chip = topChip(minor, exponent);
  return html`<span class=${`amount-on ${soft ? "soft" : ""}`}>${!soft && html`<i class=${`chip ${VALUES[chip]}`} aria-hidden="true">${chip}</i>`}${amount(minor)}</span>`;
}

function Dealer({ dealer, t }) {
  const cards = dealer?.cards;
  const verdict = cards && (dealer.qualifies ? "qualifies" : "not_qualifies");
  return html`<section class="dealt" aria-label=${t("dealers_hand")}>
    <div class="cards">${cards ? cards.map((code) => html`<${Card} key=${code} code=${code} t=${t} />`)
      : dealer?.down ? html`<${Backs} count=${dealer.down} t=${t} />` : [0, 1, 2].map((place) => html`<i key=${place} class="card slot"></i>`)}</div>
    <p class="held">${cards ? html`<b>${handName(dealer, t)}</b> · ${t(verdict)}` : dealer?.not_needed ? t("dealer_not_needed") : " "}</p>
  </section>`;
}

function Motto({ table, t }) {
  const { qualifier } = table.stakes ?? {};
  const words = qualifier && qualifier !== "queen" && t.has(`qualifier_${qualifier}`) ? t(`qualifier_${qualifier}`).toUpperCase() : t("motto_queen");
  return html`<svg class="motto" viewBox="0 0 400 62" role="img" aria-label=${words.toLowerCase()}>
    <defs><path id="curve" d="M8 22Q200 80 392 22" /></defs>
    <path d="M8 4Q200 62 392 4M8 30Q200 88 392 30" /><text><textPath href="#curve" startOffset="50%">${words}</textPath></text></svg>`;
}

/** Result of one wager in words: "won 25", "lost 10", "stake back", with the odds that were paid. */
export function Verdict({ line, t, amount }) {
  const { verdict, moves_minor, odds } = line;
  const paid = verdict === "pay" && oddsOf(odds);
  const words = verdict === "pay" ? t("won", { amount: amount(moves_minor) }) : verdict === "take" ? t("lost", { amount: amount(moves_minor) }) : t("stake_back");
  return html`<b class=${`mark ${verdict}`}>${words}</b>${paid && paid.gain !== 1 && html`<small>${t("odds", paid)}</small>`}`;
}

function Spot({ name, limit, minor, standing, chip, can, result, onPut, exponent, t, amount }) {
  const label = wagerName(name, t);
  const shape = SHAPE[name] ?? "round";
  const changed = standing !== undefined && (standing ?? 0) !== (minor ?? 0);
  const body = html`<b>${label}</b>
    ${minor > 0 && html`<${Stake} minor=${minor} exponent=${exponent} amount=${amount} soft=${name === "play" && !result && !can} />`}
    ${result ? html`<span class="verdict"><${Verdict} line=${result} t=${t} amount=${amount} /></span>`
      : name === "play" ? html`<small>${t("after_cards")}<br />${t("equals_ante")}</small>`
      : changed ? html`<small>${t("wager_not_sent")}</small>`
      : limit && html`<small>${range(limit.least_minor, limit.most_minor, exponent, t.language)}</small>`}`;
  const facts = `wager ${shape} ${minor > 0 ? "on" : ""} ${changed ? "changed" : ""} ${result ? `done ${result.verdict}` : ""}`;
  if (!onPut) return html`<div class=${`${facts} locked`} role="group" aria-label=${label}>${body}</div>`;
  return html`<button type="button" class=${facts} disabled=${!can} data-wager=${name} onClick=${onPut}
    aria-label=${t("put_chip", { name: label, lies: minor ? amount(minor) : t("nothing_lies"), chip: amount(chip) })}>${body}</button>`;
}

function Others({ state, view, own, onSit, t, amount }) {
  const seats = Array.from({ length: state.table.max_seats }, (_, place) => place + 1).filter((seat) => !own.includes(seat));
  return html`<ul class="others" aria-label=${t("other_spots")}>${seats.map((seat) => {
    const one = sitter(state, view, seat);
    const spot = view?.spots.find((found) => found.seat === seat);
    if (!one) return onSit && html`<li key=${seat} class="free"><button type="button" class="btn" aria-label=${t("take_spot", { n: seat })} onClick=${() => onSit(seat)}><b>${seat}</b><span>${t("sit_down")}</span></button></li>`;
    return html`<li key=${seat}><span>${playerName(one.player)}</span> <${Standing} spot=${spot} t=${t} amount=${amount} /></li>`;
  })}</ul>`;
}

/** What a spot has come to: its net, its decision, its stakes. */
function Standing({ spot, t, amount }) {
  if (spot?.settled) return html`<${Net} minor=${spot.settled.net_minor} amount=${amount} t=${t} />`;
  if (spot?.decision) return t(spot.decision === "play" ? "plays" : "folds");
  return sum(spot?.wagers ?? {}) > 0 ? amount(sum(spot.wagers)) : html`<span class="soft" role="img" aria-label=${t("no_bet_yet")}>–</span>`;
}

/** One's own spots side by side; the one that is looked at is bet on and decided. */
function OwnSpots({ view, own, hero, onLook, t, amount }) {
  return html`<div class="own-spots" role="group" aria-label=${t("your_spots")}>${own.map((seat) => html`<button type="button" key=${seat} class=${`btn ${view?.waiting.includes(seat) ? "now" : ""}`}
    aria-pressed=${String(seat === hero)} data-spot=${seat} onClick=${() => onLook(seat)}><b>${t("spot_no", { n: seat })}</b><span><${Standing} spot=${view?.spots.find((one) => one.seat === seat)} t=${t} amount=${amount} /></span></button>`)}</div>`;
}

/** How many spots to play, where the table lets a player have several. */
export function SpotsChoice({ state, seat, choose, t }) {
  const most = state.table.stakes?.spots_per_player ?? 1;
  if (!seat || most < 2) return null;
  const { spots = 1 } = seat;
  return html`<section class="spots-choice"><h2>${t("your_spots")}</h2><div role="group" aria-label=${t("your_spots")}>${Array.from({ length: most }, (_, place) => place + 1).map((count) => html`
    <button type="button" key=${count} class="btn" aria-pressed=${String(count === spots)} data-spots=${count} onClick=${() => count !== spots && choose(count)}>${count}</button>`)}</div><p class="small soft">${t("spots_next")}</p></section>`;
}

const limitsOf = (table, legal) => legal.find(({ name }) => name === "bet")?.wagers ?? table.stakes?.limits ?? {};

/** The bet that is being made; what was bet before is remembered for "rebet" while the page is open. */
export function useBet(hand, spot) {
  const [bets, setBets] = useState({});
  const earlier = useRef({});
  const standing = Object.fromEntries(Object.entries(spot?.wagers ?? {}).filter(([, minor]) => minor > 0));
  const seat = spot?.seat ?? null;
  const key = `${hand?.id} ${JSON.stringify(standing)}`; // what the bet began from
  const bet = bets[seat]?.key === key ? bets[seat].bet : { wagers: standing, former: [] };
  const setBet = (next) => setBets({ ...bets, [seat]: { key, bet: next } });
  const known = (earlier.current[seat] ??= { last: null, former: null });
  if (hand && sum(standing) > 0) {
    if (known.last && known.last.hand !== hand.id) known.former = known.last.wagers;
    known.last = { hand: hand.id, wagers: standing };
  } else if (known.last && known.last.hand !== hand?.id) known.former = known.last.wagers;
  return { bet, setBet, standing, former: known.former };
}

/** The felt: dealer, wagers, own cards. */
export function BankedFelt({ table, state, hand, hero, own, onLook, betting, chip_minor, onSit, t, amount, children }) {
  const view = hand?.view;
  const { exponent = 0 } = state.table;
  const spot = view?.spots.find(({ seat }) => seat === hero);
  const { bet, setBet, standing } = betting;
  const legal = table?.legal ?? [];
  const limits = limitsOf(state.table, legal);
  const open = view?.window === "betting" && Boolean(legal.length);
  const wagers = open ? bet.wagers : standing;
  const results = spot?.settled ? resultLines(spot.settled) : [];
  const result = (name) => results.find((line) => line.name === name);
  const stack = open ? spot.stack_minor + needs(standing) : 0;
  const names = ORDER.filter((name) => (state.table.stakes?.limits ?? {})[name]);
  const more = Object.keys(state.table.stakes?.limits ?? {}).filter((name) => !ORDER.includes(name));
  const ante = wagers.ante ?? 0;
  const dealt = Boolean(spot?.cards?.length || spot?.down);
  const bonus = result("ante_bonus");
  return html`<div class=${`tcp ${dealt ? "dealt-out" : ""}`}>
    <${Dealer} dealer=${view?.dealer} t=${t} />
    ${!dealt && html`<${Motto} table=${state.table} t=${t} />`}
    ${dealt && html`<section class="hand-of-mine" aria-label=${t("your_cards")}>
      <div class="own cards">${spot.cards?.length ? spot.cards.map((code) => html`<${Card} key=${code} code=${code} t=${t} />`) : html`<${Backs} count=${spot.down} t=${t} />`}</div>
      <p class="held">${spot.words ? html`<b>${handName(spot, t)}</b>` : spot.decision ? html`<b>${t(spot.decision === "play" ? "you_play" : "decided_fold")}</b>` : t("your_cards")}
        ${spot.settled && html` · ${outcomeWords(spot, view.dealer, t)}`}</p></section>`}
    ${own.length > 1 && html`<${OwnSpots} view=${view} own=${own} hero=${hero} onLook=${onLook} t=${t} amount=${amount} />`}
    <section class="spots" aria-label=${t("your_bet")}>
      ${[...more, ...names].map((name) => html`<${Spot} key=${name} name=${name} limit=${limits[name] ?? state.table.stakes.limits[name]} minor=${wagers[name] ?? 0} standing=${open ? standing[name] ?? 0 : undefined}
        chip=${chip_minor} can=${open && Boolean(limits[name])} result=${result(name)} exponent=${exponent} t=${t} amount=${amount}
        onPut=${hero && !dealt && !spot?.settled ? () => setBet(put(bet, name, chip_minor, limits, stack)) : null} />`)}
      <${Spot} name="play" minor=${result("play") ? spot.settled.wagers.play.stake_minor : spot?.decision === "fold" ? 0 : ante} can=${spot?.decision === "play"} result=${result("play")} exponent=${exponent} t=${t} amount=${amount} />
    </section>
    ${bonus && html`<p class="bonus">${wagerName("ante_bonus", t)} <${Verdict} line=${bonus} t=${t} amount=${amount} /></p>`}
    ${children}
    <${Others} state=${state} view=${view} own=${own} onSit=${onSit} t=${t} amount=${amount} />
  </div>`;
}

/** Chips, undo, clear, rebet and the bet itself; or play and fold. */
export function BankedActions({ table, hero, hand, betting, chip, setChip, busy, sending, act, time, words, t, amount }) {
  const { state, legal } = table;
  const { exponent = 0 } = state.table;
  const view = hand?.view;
  const spot = view?.spots.find(({ seat }) => seat === hero);
  const { bet, setBet, standing, former } = betting;
  const limits = limitsOf(state.table, legal);
  const open = view?.window === "betting" && legal.length > 0;
  const play = legal.filter(({ name }) => name !== "bet" && name !== "clear");
  const deciding = play.length > 0 && view.waiting.includes(hero); // who has decided waits for the others
  const stack = spot ? spot.stack_minor + needs(standing) : 0;
  const total = sum(bet.wagers);
  const isNew = !isSame(bet.wagers, standing);
  const named = Object.entries(bet.wagers).map(([name, minor]) => `${wagerName(name, t)} ${amount(minor)}`).join(" + ");
  const send = () => {
    if (!open || busy || !isNew) return;
    if (total) act({ name: "bet", wagers: bet.wagers });
    else act({ name: "clear" });
  };
  const idle = !view || view.over;
  const missing = total > 0 && !bet.wagers.ante;
  const chips = rack(state.table.stakes?.limits ?? { ante: {} }, exponent);
  const again = former && rebet(bet, former, limits, stack) !== bet;
  const decide = (name) => deciding && !busy && act({ name });
  useKeys((event) => {
    if (isTyping(event) || !legal.length) return;
    const key = event.key.toLowerCase();
    if (deciding && key === "f") decide("fold");
    else if (deciding && (key === "p" || (key === "enter" && !event.target.closest?.("button, a, summary")))) decide("play");
    else if (open && key === "enter" && !event.target.closest?.("button, a, summary")) send();
    else if (open && key === "b") send();
    else if (open && key === "u") setBet(undo(bet));
    else if (open && key === "c") setBet(clear(bet));
    else if (open && key === "r" && again) setBet(rebet(bet, former, limits, stack));
    else if (open && chips[Number(key) - 1]) setChip(chips[Number(key) - 1]);
    else return;
    event.preventDefault();
  });
  if (deciding) {
    return html`<form class="act mine deciding" tabindex="-1" aria-label=${t("act_label")} onSubmit=${(event) => event.preventDefault()}>
      <${Time} time=${time} words=${sending ? t("sent") : t("play_or_fold")} then=${t("then_fold")} t=${t} />
      <div class="moves m2">${[...play].sort((one) => (one.name === "fold" ? -1 : 1)).map((choice) => html`<button type="button" key=${choice.name} class=${`btn ${choice.name === "fold" ? "" : "main"}`} data-move=${choice.name} disabled=${busy} onClick=${() => decide(choice.name)}>
        <span>${choice.name === "play" ? t("play_for", { amount: amount(choice.amount_minor ?? standing.ante) }) : t.has(`act_${choice.name}`) ? t(`act_${choice.name}`) : choice.name}<kbd aria-hidden="true">${choice.name === "fold" ? "F" : "P"}</kbd></span></button>`)}</div></form>`;
  }
  return html`<form class=${`act bets ${open ? "mine" : ""}`} tabindex="-1" aria-label=${t("act_label")} onSubmit=${(event) => event.preventDefault()}>
    <${Time} time=${time} words=${sending ? t("sent") : words} then=${open && bet.wagers.ante ? t("play_needs", { amount: amount(bet.wagers.ante) }) : ""} t=${t} />
    <div class="rack" role="group" aria-label=${t("chip_label")}>${chips.map((minor) => html`<button type="button" key=${minor} class=${`chip ${chipClass(minor, exponent)}`} disabled=${!open}
      aria-pressed=${String(chip === minor)} aria-label=${t("chip_of", { amount: amount(minor) })} onClick=${() => setChip(minor)}>${amount(minor)}</button>`)}</div>
    <div class="tools">
      <button type="button" class="btn" disabled=${!open || !bet.former.length} onClick=${() => setBet(undo(bet))}>${t("undo")}</button>
      <button type="button" class="btn" disabled=${!open || !total} onClick=${() => setBet(clear(bet))}>${t("clear")}</button>
      <button type="button" class="btn" disabled=${!open || !again} onClick=${() => setBet(rebet(bet, former, limits, stack))}>${t("rebet")}${former && html`<small>${amount(sum(former))}</small>`}</button>
      <button type="button" class="btn main" data-move="bet" disabled=${!open || busy || !isNew || missing} onClick=${send}>
        ${idle ? t("place_bet") : isNew && !total ? t("act_clear") : total ? `${t(isNew ? (sum(standing) ? "change_bet" : "place_bet") : "bet_stands")} ${amount(total)}` : t("place_bet")}
        <small>${missing ? t("needs_ante") : total && !idle ? named : t("bet_none")}</small></button>
    </div></form>`;
}

/** Result of a settled round, wager by wager, for the side panel. */
export function Result({ spot, t, amount }) {
  if (!spot?.settled) return null;
  return html`<dl class="results">${resultLines(spot.settled).map((line) => html`<dt key=${line.name}>${wagerName(line.name, t)}${line.on_minor > 0 && ` ${amount(line.on_minor)}`}</dt><dd><${Verdict} line=${line} t=${t} amount=${amount} /></dd>`)}
    <dt>${t("in_all_net")}</dt><dd><${Net} minor=${spot.settled.net_minor} amount=${amount} t=${t} /></dd></dl>`;
}
