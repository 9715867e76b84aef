import { pots } from "../../../tables/web/static/tables/poker_events.js";
import { reduce } from "../../../tables/web/static/tables/reducer.js";
import { equal, ok } from "./check.js";

// The page remembers a little more than the server's view tells, and cuts pots in its own way.
export function told(view) {
  const { pots: _pots, extra_minor: _extra, ...rest } = structuredClone(view);
  for (const name of ["die", "openers", "carried_minor", "reveal", "lot", "paid", "award"]) delete rest[name];
  for (const player of rest.players ?? []) {
    for (const name of ["last", "thrown", "throwing", "offered"]) delete player[name];
    if (rest.window === "draw") delete player.bet_minor; // the engine clears it when betting begins
  }
  for (const spot of rest.spots ?? []) {
    delete spot.late;
    if (spot.down) for (const name of ["class", "words"]) delete spot[name]; // only a snapshot names an own hand
    delete spot.play_minor;
    spot.wagers = Object.fromEntries(Object.entries(spot.wagers).filter(([, minor]) => minor > 0));
  }
  return rest;
}

function replay({ snapshot, frames }) {
  let state = reduce(null, { type: "snapshot", state: snapshot });
  return frames.map((frame) => (state = reduce(state, frame)));
}

const player = (paid_minor, status = "live") => ({ paid_minor, status });
const seated = (...all) => all.map((one, place) => ({ ...one, seat: place + 1 }));
const cut = (...all) => pots(seated(...all)).map(({ amount_minor, eligible }) => [amount_minor, eligible]);

export function testsOf(recordings) {
  const tests = {
    "a choice of the next game is asked, named, answered and gone with the deal"() {
      const { snapshot, frames } = Object.values(recordings)[0];
      const told = (state, seq, ...events) => reduce(state, { type: "events", seq, at: "2026-01-15T20:00:00.000Z", events: events.map(([type, facts]) => ({ type, public: facts })) });
      const turn = (window, seats) => ["turn_opened", { turn_id: 7, window, seats, deadline: "2026-01-15T20:00:20.000Z" }];
      let state = reduce(null, { type: "snapshot", state: { ...snapshot, hand: null, choice: null } });
      state = told(state, 1, ["choice_opened", { seat: 2, games: [{ nth: 0, id: "stud", name: "Stud", limit: "fixed" }] }], turn("name_game", [2]));
      equal([state.choice.waiting, state.choice.turn.window], [[2], "name_game"]);
      state = told(state, 2, ["game_named", { seat: 2, game: { id: "stud", name: "Stud", limit: "fixed" } }], turn("agree", [1, 3]));
      equal([state.choice.game.name, state.choice.waiting, state.table.next_game.id], ["Stud", [1, 3], "stud"]);
      state = told(state, 3, ["game_declined", { seat: 3 }]);
      equal([state.choice.declined, state.choice.waiting], [[3], [1]]);
      equal(told(state, 4, ["game_dropped", { seat: 2 }]).choice, null);
      state = told(state, 4, ["game_accepted", { seat: 1 }]);
      equal(state.choice.turn, null);
      const opened = frames.find(({ events }) => events.some(({ type }) => type === "hand_opened"));
      equal(reduce(state, opened).choice, null);
    },
    "cuts come with their roots, are listed, and go into the hand they were made for"() {
      const { snapshot, frames } = Object.values(recordings)[0];
      const told = (state, seq, ...events) => reduce(state, { type: "events", seq, at: "2026-01-15T20:00:00.000Z", events: events.map(([type, facts]) => ({ type, public: facts })) });
      let state = reduce(null, { type: "snapshot", state: { ...snapshot, hand: null, cuts: [] } });
      const roots = [{ number: 5, root: "ab", signature: "00" }];
      state = told(state, 1, ["roots_published", { cut: 2, purpose: "deal", kind: "52+0", takes_seeds: true, roots, deadline: null }]);
      equal([state.cuts.length, state.cuts[0].list, state.next_root], [1, null, { number: 5, root: "ab" }]);
      state = told(state, 2, ["seeds_listed", { cut: 2, commitments: ["aa", "bb"], hand_id: 9, at: 1, signature: "00", deadline: "2026-01-15T20:00:01.000Z" }]);
      equal(state.cuts[0].list.commitments, ["aa", "bb"]);
      equal(told(state, 3, ["cut_void", { cut: 2, reason: "withheld" }]).cuts, []);
      state = told(state, 3, ["decks_cut", { cut: 2, purpose: "deal", mode: "players", decks: 4, number: 5, root: "ab", seeds: ["11", null] }]);
      equal([state.cuts, state.unsure ?? null], [[], null]);
      const opened = frames.find(({ events }) => events.some(({ type }) => type === "hand_opened"));
      equal(reduce(state, opened).hand.cut, { cut: 2, mode: "players", decks: 4, seeds: 1 });
    },
    "bets that are still being made cut no side pot"() {
      equal(cut(player(10), player(20), player(30)), [[60, [1, 2, 3]]]);
    },
    "an all-in cuts the pot at what it paid"() {
      equal(cut(player(100, "all_in"), player(300), player(300)), [[300, [1, 2, 3]], [400, [2, 3]]]);
    },
    "a folded hand's chips stay and win nothing"() {
      equal(cut(player(50, "folded"), player(100, "all_in"), player(300), player(300)), [[350, [2, 3, 4]], [400, [3, 4]]]);
      equal(cut(player(200, "folded"), player(100, "all_in"), player(100)), [[300, [2, 3]], [100, [3]]]);
    },
    "pots that the same seats can win are one pot"() {
      equal(cut(player(100, "all_in"), player(100, "all_in"), player(100)), [[300, [1, 2, 3]]]);
    },
    "a dead blind belongs to the main pot"() {
      equal(pots(seated(player(10), player(10)), 5), [{ name: "main", amount_minor: 25, eligible: [1, 2] }]);
    },
    "a turn that runs on a player's own clock is the same turn, and what is legal in it stands"() {
      const { snapshot, frames } = recordings["holdem_side_pots.json"];
      let state = reduce(null, { type: "snapshot", state: { ...snapshot, you: { seat: 1, legal_actions: [] } } });
      const asks = frames.findIndex(({ events }) => events.some(({ type }) => type === "turn_opened"));
      for (const frame of frames.slice(0, asks + 1)) state = reduce(state, frame);
      state.you.legal_actions = [{ name: "fold" }];
      const { turn_id, seats, window } = state.hand.turn;
      const more = { type: "events", seq: state.seq + 1, prev: state.seq, at: "2026-01-15T20:00:30Z", events: [
        { type: "clock_started", public: { seat: seats[0], clock: "time_bank", by_ms: 10000, left_ms: 5000 } },
        { type: "turn_opened", public: { turn_id, seats, window, deadline: "2026-01-15T20:00:40.000Z", clock: "time_bank" } }] };
      const after = reduce(state, more);
      equal([after.you.legal_actions.length, after.hand.turn.clock], [1, "time_bank"]);
      equal(after.seats.find(({ seat }) => seat === seats[0]).time_bank_ms, 5000);
      const next = reduce(after, { ...more, seq: more.seq + 1, prev: more.seq, events: [{ type: "turn_opened", public: { turn_id: turn_id + 9, seats, window, deadline: null } }] });
      equal(next.you.legal_actions, []);
    },
    "who sits down owes what he is told to owe, and the button is drawn for the hand that follows"() {
      const { snapshot, frames } = recordings["holdem_side_pots.json"];
      let state = reduce(null, { type: "snapshot", state: { ...snapshot, hand: null } });
      const tell = (type, facts) => reduce(state, { type: "events", seq: state.seq, at: "2026-01-15T20:00:00Z", events: [{ type, public: facts }] });
      state = tell("seat_taken", { seat: 9, player: "Zoe", stack_minor: 100, status: "playing", owes: ["big"] });
      equal(state.seats.at(-1).owes, ["big"]);
      state = tell("seat_changed", { seat: 9, status: "playing", stack_minor: null, owes: [] });
      equal(state.seats.at(-1).owes, []);
      state = tell("button_drawn", { button: 2, cards: { 1: "Kd", 2: "As" } });
      const opened = frames.find(({ events }) => events.some(({ type }) => type === "hand_opened"));
      state = reduce(state, opened);
      equal([state.hand.drawn.button, state.drawn], [2, null]);
    },
    "a clock that is held moves the deadline"() {
      const [state] = replay({ ...recordings["three_card_poker.json"], frames: recordings["three_card_poker.json"].frames.slice(0, 1) });
      const before = Date.parse(state.hand.turn.deadline);
      const held = { type: "events", seq: 2, prev: 1, at: "2026-01-15T20:00:00Z", events: [{ type: "clocks_held", public: { by_ms: 12500 } }] };
      equal(Date.parse(reduce(state, held).hand.turn.deadline) - before, 12500);
    },
    "a void hand leaves the table and says why"() {
      const [state] = replay({ ...recordings["holdem_folded_out.json"], frames: recordings["holdem_folded_out.json"].frames.slice(0, 1) });
      const after = reduce(state, { type: "events", seq: 2, prev: 1, at: "2026-01-15T20:00:00Z", events: [{ type: "hand_voided", public: { hand_id: 12, reason: "misdeal" } }] });
      equal([after.hand, after.last_hand.voided], [null, "misdeal"]);
    },
    "an event this page does not know makes it unsure, and a snapshot makes it sure again"() {
      const { snapshot } = recordings["three_card_poker.json"];
      const state = reduce(null, { type: "snapshot", state: snapshot });
      const after = reduce(state, { type: "events", seq: 2, prev: 1, events: [{ type: "elephant_seen", public: {} }, { type: "muck_reshuffled", public: {} }] });
      equal(after.unsure, ["elephant_seen"]);
      equal(reduce(after, { type: "snapshot", state: snapshot }).unsure, undefined);
    },
    "a snapshot of the hand on the screen keeps the moments it has reached"() {
      const { snapshot, frames } = recordings["three_card_poker.json"];
      const state = replay({ snapshot, frames: frames.slice(0, -1) }).at(-1);
      const settled_at = state.hand.marks.settled_at;
      const later = { ...structuredClone(state), server_time: "2026-01-15T20:10:00.000Z" };
      delete later.hand.marks;
      equal(reduce(state, { type: "snapshot", state: later }).hand.marks.settled_at, settled_at);
      equal(reduce(null, { type: "snapshot", state: later }).hand.marks.settled_at, later.server_time);
    },
  };
  for (const [name, recording] of Object.entries(recordings)) {
    tests[`${name}: after every frame the page holds what the engine shows`] = () => {
      replay(recording).forEach((state, place) => {
        const { view } = state.hand ?? state.last_hand;
        equal(told(view), told(recording.views[place]), `frame ${place}: ${recording.frames[place].events.map(({ type }) => type)}`);
      });
    };
    tests[`${name}: every event is known`] = () => {
      ok(replay(recording).every((state) => !state.unsure), "an event has no handler");
    };
    tests[`${name}: reducing changes no former state`] = () => {
      const state = reduce(null, { type: "snapshot", state: recording.snapshot });
      const before = JSON.stringify(state);
      replay(recording);
      reduce(state, recording.frames[0]);
      equal(JSON.stringify(state), before);
    };
    tests[`${name}: pots sum to what is paid`] = () => {
      for (const { hand } of replay(recording)) {
        if (!hand?.view.pots || hand.view.over) continue;
        const { view } = hand;
        equal(view.pots.reduce((sum, pot) => sum + pot.amount_minor, 0), view.pot_minor);
      }
    };
  }
  return tests;
}
