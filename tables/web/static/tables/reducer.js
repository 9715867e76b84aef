// (state, frame) -> state. Pure: the same for a live table, a replay and a test.
//
// The state is the server's table snapshot, with a little beside it:
//   hand.marks   when (server time) the hand reached the moments a screen shows for a while
//   unsure       event types this page does not know; a snapshot is the cure

import { BANKED_EVENTS, bankedView } from "./banked_events.js";
import { BLUFF_EVENTS, bluffView } from "./bluff_events.js";
import { CHOICE_EVENTS, choiceTurn } from "./choice_events.js";
import { DEALER_EVENTS, voidsEnded } from "./dealer_events.js";
import { OWN_EVENTS } from "./own_events.js";
import { POKER_EVENTS, pokerView, recut } from "./poker_events.js";
import { playerSeat } from "./spots.js";

const FAMILIES = {
  poker: { open: pokerView, events: POKER_EVENTS },
  banked: { open: bankedView, events: BANKED_EVENTS },
  bluff: { open: bluffView, events: BLUFF_EVENTS },
};

const MARKS = {
  no_more_bets: "closed_at",
  spot_settled: "settled_at",
  pot_awarded: "awarded_at",
  challenge_settled: "revealed_at",
  hand_over: "over_at",
};

// Nothing a table shows depends on these.
const QUIET = /^muck_/;

const seatOf = (state, seat) => state.seats.find((one) => one.seat === seat);

function withStacks(state, stacks_minor) {
  for (const one of state.seats) one.stack_minor = stacks_minor?.[one.seat] ?? one.stack_minor;
}

function endHand(state, at, more) {
  if (state.hand) {
    const marks = { ...state.hand.marks, over_at: state.hand.marks.over_at ?? at };
    state.last_hand = { ...state.hand, turn: null, marks, ...more };
  }
  state.hand = null;
  voidsEnded(state);
  if (state.you) state.you.legal_actions = [];
}

const otherCuts = (state, cut) => (state.cuts ?? []).filter((one) => one.cut !== cut);

// What players' seeds are given for, until it is cut: docs/protocol.md 8.
const CUT_EVENTS = {
  roots_published(state, event) {
    if ((state.cuts ?? []).some(({ cut }) => cut === event.cut)) return; // told again, for newcomers
    state.cuts = [...(state.cuts ?? []), { ...event, status: "open", list: null, yours: null }];
    if (event.purpose === "deal") state.next_root = { number: event.roots[0].number, root: event.roots[0].root };
  },
  seeds_listed(state, event) {
    const one = (state.cuts ?? []).find(({ cut }) => cut === event.cut);
    if (one) Object.assign(one, { status: "listed", list: event });
  },
  decks_cut(state, { cut, purpose, mode, decks, root, seeds }) {
    state.cuts = otherCuts(state, cut);
    if (purpose !== "deal") return;
    const made = { cut, mode, decks, seeds: seeds.filter((one) => one !== null).length };
    if (state.hand) Object.assign(state.hand, { root, cut: made }); // a round whose bets are made
    else state.made = made;
  },
  cut_void(state, { cut }) {
    state.cuts = otherCuts(state, cut);
  },
};

const TABLE_EVENTS = {
  ...CHOICE_EVENTS,
  ...CUT_EVENTS,
  ...DEALER_EVENTS,
  hand_opened(state, event) {
    state.choice = null;
    const { hand_id: id, number, root, family, button } = event;
    const view = FAMILIES[family].open(event);
    if (event.special) view.special = event.special;
    state.hand = { id, number, root, turn: null, view, button, game: event.game, stakes: event.stakes, drawn: state.drawn ?? null, cut: state.made ?? null, marks: {} };
    state.drawn = state.made = null;
    state.misdeal = null;
    if (event.game && state.table.family !== "mixed") state.table.game = event.game;
    if (state.you) {
      const dealt_as = event.seats.some(({ seat }) => seat === state.you.seat) ? state.you.seat : null;
      Object.assign(state.you, { dealt_as, legal_actions: [] });
    }
  },
  turn_opened(state, event, at) {
    if (!state.hand) return void (state.choice && choiceTurn(state, event, at));
    const { seats, window, call_minor = null, least_to_minor = null, most_to_minor = null } = event;
    const { view } = state.hand;
    // Those of a new turn come with a snapshot; a turn whose deadline has moved is the same turn.
    if (state.you && state.hand.turn?.turn_id !== event.turn_id) state.you.legal_actions = [];
    state.hand.turn = { ...event, opened_at: at };
    Object.assign(view, { waiting: seats, window });
    if (view.family === "poker") Object.assign(view, { call_minor, least_to_minor, most_to_minor });
  },
  clock_started(state, { seat, left_ms }) {
    if (seatOf(state, seat)) seatOf(state, seat).time_bank_ms = left_ms;
  },
  clock_set: () => {}, // the turn follows, with its deadline as it was set
  clocks_held(state, { by_ms }) {
    const turn = state.hand?.turn ?? state.choice?.turn;
    if (turn?.deadline) turn.deadline = new Date(Date.parse(turn.deadline) + by_ms).toISOString();
  },
  hand_settled: (state, _event, at) => endHand(state, at, { settled: true }),
  hand_voided: (state, { reason }, at) => endHand(state, at, { voided: reason || true }),
  hand_reversed(state, { hand_id, reason }) {
    if (state.last_hand?.id === hand_id) state.last_hand.voided = reason || true;
  },
  misdeal_ruled(state, ruled) {
    state.misdeal = ruled;
  },
  seat_taken(state, { seat, player, stack_minor, status = "playing", owes = [], ...more }) {
    state.seats = state.seats.filter((one) => one.seat !== seat);
    state.seats.push({ ...more, seat, player, stack_minor, status, owes });
    state.seats.sort((a, b) => a.seat - b.seat);
  },
  seat_left(state, { seat }) {
    state.seats = state.seats.filter((one) => one.seat !== seat);
    if (state.you?.seat === seat) state.you.seat = null;
  },
  seat_moved(state, { from, seat, ...more }) {
    const one = seatOf(state, from);
    if (one) Object.assign(one, more, { seat });
    state.seats.sort((a, b) => a.seat - b.seat);
    if (state.you?.seat === from) state.you.seat = seat;
  },
  seat_reserved: () => {}, // whose it is only he is told
  seat_called: () => {},
  time_collected(state, { next_at }) {
    if (state.table.time_collection) state.table.time_collection.next_at = next_at;
  },
  jackpot_moved(state, { jackpot }) {
    state.table.jackpot = jackpot;
  },
  jackpot_hit(state, hit) {
    state.hit = hit;
  },
  high_hand_led: () => {},
  jackpot_paid(state, { hit }) {
    if (state.hit?.hit === hit) state.hit = null;
  },
  jackpot_refused(state, { hit }) {
    if (state.hit?.hit === hit) state.hit = null;
  },
  must_move(state, { seat, name }) {
    const one = seatOf(state, seat);
    if (one) one.must_move = name;
  },
  top_up_refused: () => {},
  seat_changed(state, { seat, status, stack_minor, ...more }) {
    const one = seatOf(state, seat);
    if (one) Object.assign(one, more, { status: status ?? one.status, stack_minor: stack_minor ?? one.stack_minor });
  },
  button_drawn(state, drawn) {
    state.drawn = drawn;
  },
  table_changed(state, { status, name, timing, stakes, version, stopped }) {
    const told = { name, timing, stakes, version, stopped };
    for (const [fact, value] of Object.entries(told)) if (value !== undefined) state.table[fact] = value;
    state.table.status = status;
  },
  specials_changed(state, facts) {
    state.specials = facts;
  },
  game_changed(state, { game }) {
    state.table.next_game = game;
  },
};

function apply(state, { type, public: facts, private: own }, at) {
  const tableEvent = TABLE_EVENTS[type];
  if (tableEvent) {
    tableEvent(state, facts, at);
    return;
  }
  const view = state.hand?.view;
  const handler = view && FAMILIES[view.family].events[type];
  if (!handler) {
    if (!QUIET.test(type)) state.unsure = [...(state.unsure ?? []), type];
    return;
  }
  handler(view, facts);
  if (MARKS[type]) state.hand.marks[MARKS[type]] = at;
  if (state.you?.dealt_as) OWN_EVENTS[view.family](view, state.you.dealt_as, type, facts, own);
  if (view.family === "banked" && "stack_minor" in facts) {
    const one = seatOf(state, playerSeat(view, facts.seat));
    if (one) one.stack_minor = facts.stack_minor;
  }
  if (type === "hand_over") {
    state.hand.turn = null;
    state.hand.result = facts;
    withStacks(state, facts.stacks_minor);
  } else if (state.hand.turn && view.waiting.length === 0 && view.window !== "betting") {
    state.hand.turn = null;
  }
}

function fromSnapshot(former, { state, seq }) {
  const next = structuredClone(state);
  next.seq = seq ?? state.seq;
  if (next.you) next.you.legal_turn = (next.hand ?? next.choice)?.turn?.turn_id ?? null;
  const { turn } = next.choice ?? {};
  if (turn?.deadline) turn.opened_at ??= openedAt(turn, next.table.timing);
  for (const name of ["hand", "last_hand"]) {
    const hand = next[name];
    if (!hand?.view) continue;
    const known = [former?.hand, former?.last_hand].find((one) => one?.id === hand.id);
    hand.marks = { ...firstMarks(hand, next.server_time), ...hand.marks, ...known?.marks };
    if (hand.view.family === "poker") recut(hand.view);
    if (hand.turn?.deadline) hand.turn.opened_at ??= openedAt(hand.turn, next.table.timing);
  }
  return next;
}

// A page that opens on a settled round starts to show its payments from that moment, unless the
// server says when it was settled.
function firstMarks({ view, settled_at }, now) {
  const at = settled_at ?? now;
  if (view.family === "banked") return view.phase === "settled" ? { settled_at: at, over_at: at } : {};
  if (view.family === "bluff") return view.over ? { over_at: at } : {};
  return view.over || view.awards?.length ? { awarded_at: at, over_at: at } : {};
}

// A snapshot's window does not say when it opened; the table's timing does.
function openedAt({ window, deadline }, timing) {
  const seconds = timing?.[`${window}_s`] ?? timing?.action_s ?? 20;
  return new Date(Date.parse(deadline) - seconds * 1000).toISOString();
}

export function reduce(state, frame) {
  if (frame.type === "snapshot") return fromSnapshot(state, frame);
  if (frame.type !== "events") return state;
  const next = structuredClone(state);
  for (const event of frame.events) apply(next, event, frame.at);
  next.seq = frame.seq;
  return next;
}
