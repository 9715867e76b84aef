import { inOrder, needs } from "../../../tables/web/static/tables/board.js";
import { deedsNow, refusal, send } from "../../../tables/web/static/tables/console.js";
import { DEALER_WORDS } from "../../../tables/web/static/tables/dealer_words.js";
import { languageOf, translator } from "../../../tables/web/static/tables/i18n.js";
import { reduce } from "../../../tables/web/static/tables/reducer.js";
import { renewer } from "../../../tables/web/static/tables/renewing.js";
import { cueOf, momentOf } from "../../../tables/web/static/tables/sounds.js";
import { equal, ok } from "./check.js";

const AT = "2026-01-15T20:00:00.000Z";
const NOW = Date.parse("2026-01-15T20:02:00Z");

const told = (state, ...events) => reduce(state, {
  type: "events", seq: state.seq + 1, prev: state.seq, at: AT, events: events.map(([type, facts]) => ({ type, public: facts })),
});

export function testsOf(recordings) {
  const table = () => reduce(null, { type: "snapshot", state: structuredClone(recordings["three_card_poker.json"].snapshot) });
  const on = () => told(table(), ["dealer_on", { dealer: "Dora", since: AT }]);
  const t = translator("en", DEALER_WORDS);
  const betting = () => {
    const state = on();
    state.hand = { id: 7, number: 7, view: { family: "banked", phase: "betting", spots: [], waiting: [] }, turn: { turn_id: 9, window: "betting" }, marks: {} };
    return state;
  };

  return {
    "a shift begins, breaks, goes on and ends by the table's events"() {
      const working = on();
      equal(working.dealer, { name: "Dora", since: AT, break_since: null, confirmed_hand: null });
      const away = told(working, ["dealer_break", { dealer: "Dora", since: AT }]);
      equal(away.dealer.break_since, AT);
      equal(told(away, ["dealer_back", { dealer: "Dora" }]).dealer.break_since, null);
      equal(told(working, ["payouts_confirmed", { hand_id: 5, dealer: "Dora" }]).dealer.confirmed_hand, 5);
      equal(told(working, ["dealer_on", { dealer: "Erin", since: AT, relieves: "Dora" }]).dealer.name, "Erin");
      equal(told(working, ["dealer_off", { dealer: "Dora" }]).dealer, null);
    },
    "calls stand until they are answered, one for a void until the hand ends"() {
      const called = told(betting(), ["floor_called", { call: 1, why: "help", hand_id: 7, since: AT }], ["floor_called", { call: 2, why: "void", hand_id: 7, since: AT }]);
      equal(called.floor_calls.map(({ call }) => call), [1, 2]);
      equal(told(called, ["hand_voided", { hand_id: 7, reason: "Misdeal" }]).floor_calls.map(({ call }) => call), [1]);
      equal(told(called, ["floor_answered", { call: 1, why: "help" }]).floor_calls.map(({ call }) => call), [2]);
    },
    "a deed is possible when the table stands so that it can be done, and never from old data"() {
      const none = deedsNow({ state: table(), stale: false });
      equal(Object.keys(none).filter((name) => none[name]), ["call"]);
      const now = deedsNow({ state: betting(), stale: false });
      equal([now.close_bets, now.void_ask], [{ deed: "close_bets", turn_id: 9 }, { deed: "call", why: "void" }]);
      equal(Object.values(deedsNow({ state: betting(), stale: true })).filter(Boolean), []);
      const away = told(betting(), ["dealer_break", { dealer: "Dora", since: AT }]);
      equal(Object.entries(deedsNow({ state: away, stale: false })).filter(([, deed]) => deed).map(([name]) => name), ["call", "sign_off"]);
    },
    "a hand is confirmed once"() {
      const state = { ...on(), last_hand: { id: 5 } };
      equal(deedsNow({ state, stale: false }).confirm, { deed: "confirm", hand_id: 5 });
      const done = told(state, ["payouts_confirmed", { hand_id: 5, dealer: "Dora" }]);
      equal(deedsNow({ state: done, stale: false }).confirm, null);
      equal(deedsNow({ state: { ...state, last_hand: { id: 5, voided: "Misdeal" } }, stale: false }).confirm, null);
    },
    "a refusal is said in words"() {
      equal(refusal({ code: "locked_out", retry_after_s: 61 }, t), "Too many wrong PINs. Try again in 2 min, or ask for a new one.");
      equal(refusal({ code: "dealer_elsewhere", table: "Amber" }, t), "Still signed on at Amber. Sign off there, or ask the floor.");
      ok(refusal({ code: "odd_one" }, t).includes("odd_one"));
    },
    async "a deed carries the page's crumb, and a lost one is no success"() {
      let sent = null;
      const world = { document: { cookie: "csrftoken=abc" }, fetch: async (url, asked) => { sent = { url, ...asked }; return { ok: true }; } };
      equal(await send("/display/deeds", { deed: "break" }, world), null);
      equal([sent.url, sent.headers["X-CSRFToken"], JSON.parse(sent.body)], ["/display/deeds", "abc", { deed: "break" }]);
      equal(await send("/x", {}, { fetch: async () => { throw new TypeError("no network"); } }), { code: "lost" });
    },
    "cues: a turn, five seconds left, bets closed, data too old; each once"() {
      const moment = (more) => ({ stale: false, hand: 7, turn: 1, closed: false, left_s: 20, ...more });
      equal(cueOf(moment({}), moment({ turn: 2 })), "turn");
      equal(cueOf(moment({ left_s: 5.2 }), moment({ left_s: 4.9 })), "closing");
      equal(cueOf(moment({ left_s: 4.9 }), moment({ left_s: 4.6 })), null);
      equal(cueOf(moment({}), moment({ closed: true, turn: null })), "closed");
      equal(cueOf(moment({}), moment({ stale: true })), "stale");
      equal(cueOf(moment({ stale: true }), moment({ turn: 2 })), null);
      equal(cueOf(moment({}), moment({ hand: 8, turn: 3 })), null);
      equal(momentOf(betting(), false, 12).closed, false);
    },
    "two languages are both said, the second one small"() {
      const both = translator(languageOf({ language: "both" }, ""), DEALER_WORDS);
      equal([both.language, both("pay"), both.second("pay"), both.second.language], ["en", "Pay", "Płać", "pl"]);
      equal([translator("pl").second, languageOf({ language: "both" }, "?lang=pl")], [null, "pl"]);
    },
    "every word of the console is there in both languages"() {
      equal(Object.keys(DEALER_WORDS.en), Object.keys(DEALER_WORDS.pl));
    },
    "a page is loaded anew at once when it is told to, and not over and over when it is refused"() {
      const kept = new Map();
      const world = { Date: { now: () => world.at }, at: 100000, reloads: 0, location: { reload: () => (world.reloads += 1) },
        sessionStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) } };
      const renew = renewer(world);
      renew("refused");
      renew("refused");
      equal(world.reloads, 1);
      renew("moved");
      equal(world.reloads, 2);
      world.at += 30000;
      renew("build");
      equal(world.reloads, 2);
      world.at += 60000;
      renew("build");
      equal(world.reloads, 3);
    },
    "the floor board puts first what needs somebody, then counts names as people do"() {
      const tile = (name, more = {}) => ({ id: name, name, status: "open", floor_calls: [], hand: null, ...more });
      const stuck = tile("9", { hand: { deadline: "2026-01-15T20:01:00Z", over: false } });
      const called = tile("Z", { floor_calls: [{ why: "void", since: AT }] });
      equal(inOrder([tile("10"), stuck, tile("2"), called], NOW, "en").map(({ name }) => name), ["9", "Z", "2", "10"]);
      equal([needs(stuck, NOW)[0].word, needs({ ...stuck, status: "stopped" }, NOW), needs(called, NOW)[0].word], ["stuck", [], "why_void"]);
    },
  };
}
