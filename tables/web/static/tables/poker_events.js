// What each event of a ring game does to the public view of the hand.

const OVER_BLINDS = ["straddle", "kill"];
const NO_PRICE = { call_minor: null, least_to_minor: null, most_to_minor: null };

export function pokerView(opened) {
  return {
    family: opened.family,
    game: opened.game?.id,
    limit: opened.game?.limit,
    street: "",
    board: [],
    button: opened.button,
    players: opened.seats.map(({ seat, stack_minor }) => ({
      seat, stack_minor, bet_minor: 0, paid_minor: 0, status: "live", down: 0, up: [], last: null,
    })),
    pot_minor: 0,
    pots: [],
    waiting: [],
    window: "",
    call_minor: null,
    least_to_minor: null,
    most_to_minor: null,
    declared: {},
    shown: {},
    awards: [],
    over: false,
    extra_minor: 0, // chips of nobody's bet: dead blinds, a pot carried over
  };
}

/**
 * Cut what was paid into a main pot and side pots.
 *
 * A cut is made at each all-in only, so before anybody is all-in there is one pot. Who folded wins
 * nothing; who may still put chips in is eligible for every layer.
 */
export function pots(players, extra_minor = 0) {
  const contenders = players.filter((player) => player.status !== "folded");
  const caps = contenders.filter((player) => player.status === "all_in").map((player) => player.paid_minor);
  const levels = [...new Set([...caps, Infinity])].sort((a, b) => a - b);
  const found = [];
  let below = 0;
  for (const level of levels) {
    const amount_minor = (below ? 0 : extra_minor) + players.reduce(
      (sum, { paid_minor }) => sum + Math.min(paid_minor, level) - Math.min(paid_minor, below), 0);
    const eligible = contenders
      .filter(({ status, paid_minor }) => status === "live" || paid_minor > below)
      .map(({ seat }) => seat);
    below = level;
    if (amount_minor === 0) continue;
    const last = found.at(-1);
    if (last && String(last.eligible) === String(eligible)) last.amount_minor += amount_minor;
    else found.push({ name: found.length ? `side ${found.length}` : "main", amount_minor, eligible });
  }
  return found;
}

const paid = (players) => players.reduce((sum, player) => sum + player.paid_minor, 0);

export function tally(view) {
  view.pots = pots(view.players, view.extra_minor);
  view.pot_minor = paid(view.players) + (view.extra_minor ?? 0);
}

/** A view the server sent, with the pots cut as this page cuts them. */
export function recut(view) {
  if (view.over) return;
  view.extra_minor = Math.max(0, view.pot_minor - paid(view.players));
  tally(view);
}

function open(view, street) {
  if (view.street && view.street !== street) {
    for (const player of view.players) {
      player.bet_minor = 0;
      if (player.status === "live") player.last = null;
    }
  }
  view.street = street;
  Object.assign(view, NO_PRICE);
}

const playerOf = (view, seat) => view.players.find((one) => one.seat === seat);

function acted(view, seat, name, more) {
  const player = playerOf(view, seat);
  player.last = { name, ...more };
  view.waiting = view.waiting.filter((one) => one !== seat);
  return player;
}

function pay(view, { seat, amount_minor, bet_minor, to_minor, stack_minor, all_in }, name, more = {}) {
  const player = playerOf(view, seat);
  player.paid_minor += amount_minor;
  player.stack_minor = stack_minor;
  player.bet_minor = bet_minor ?? to_minor ?? player.bet_minor;
  if (stack_minor === 0 || all_in) player.status = "all_in";
  player.last = { name, to_minor: bet_minor ?? to_minor ?? amount_minor, ...more };
  view.waiting = view.waiting.filter((one) => one !== seat);
  tally(view);
}

const wager = (name) => (view, event) => pay(view, event, name, event.default ? { default: true } : {});

export const POKER_EVENTS = {
  ante_posted: (view, event) => pay(view, event, "ante"),
  blind_posted(view, event) {
    const dead = event.kind === "dead";
    if (OVER_BLINDS.includes(event.kind)) view.over_blind = { kind: event.kind, seat: event.seat, to_minor: event.to_minor };
    pay(view, dead ? { ...event, amount_minor: 0 } : event, "blind", { kind: event.kind });
    if (dead) view.extra_minor += event.amount_minor;
    tally(view);
  },
  called: wager("call"),
  bet: wager("bet"),
  raised: wager("raise"),
  completed: wager("complete"),
  brought_in: wager("bring_in"),
  street_opened: (view, { street }) => open(view, street),
  cards_dealt(view, { street, down, up }) {
    open(view, street);
    for (const player of view.players) {
      player.down += down?.[player.seat] ?? 0;
      player.up.push(...(up?.[player.seat] ?? []));
    }
  },
  board_dealt(view, { street, board, board_no = 1 }) {
    if (board_no === 1) {
      open(view, street);
      view.board = board;
    }
    if (board_no === 1 && !view.boards) return;
    const boards = [...(view.boards ?? [view.board])];
    boards[board_no - 1] = board;
    view.boards = boards;
  },
  run_answered(view, { seat, choice }) {
    view.waiting = choice === 1 ? [] : view.waiting.filter((one) => one !== seat);
  },
  runs_agreed(view, { runs }) {
    Object.assign(view, { waiting: [], window: "" });
    if (runs > 1) view.runs = runs;
  },
  folded(view, event) {
    const player = acted(view, event.seat, "fold", event.default ? { default: true } : {});
    Object.assign(player, { status: "folded", down: 0, up: [] });
    tally(view);
  },
  checked: (view, event) => void acted(view, event.seat, "check", event.default ? { default: true } : {}),
  draw_announced(view, { seat, count, default: late }) {
    const player = acted(view, seat, count ? "draw" : "stand_pat", { count, ...(late ? { default: true } : {}) });
    player.thrown = count;
  },
  cards_drawn(view, { seat, count }) {
    const player = playerOf(view, seat);
    player.down += count - (player.thrown ?? 0);
    delete player.thrown;
  },
  card_offered(view, { seat, card }) {
    playerOf(view, seat).offered = card;
  },
  offer_answered(view, { seat, taken }) {
    const player = playerOf(view, seat);
    // An open card stands for the one thrown away; a refused one is followed by cards_drawn.
    if (taken) {
      player.up.push(player.offered);
      player.down -= 1;
    }
    delete player.offered;
  },
  pass_chosen: (view, { seat, count }) => void acted(view, seat, "pass", { count }),
  cards_passed() {},
  arranged: (view, { seat }) => void acted(view, seat, "arrange"),
  declared: (view, { seat }) => void acted(view, seat, "declare"),
  declarations_shown: (view, { declarations }) => void (view.declared = declarations),
  cards_rolled(view, { street, up }) {
    open(view, street);
    for (const [seat, cards] of Object.entries(up)) {
      const player = playerOf(view, Number(seat));
      player.down -= cards.length;
      player.up.push(...cards);
    }
  },
  spit_called(view, { seat }) {
    acted(view, seat, "spit");
    view.waiting = [];
  },
  die_rolled: (view, die) => void (view.die = die),
  openers_shown: (view, { seat, cards }) => void (view.openers = { seat, cards }),
  passed_out: (view, { carry_minor }) => void (view.carried_minor = carry_minor),
  pot_carried: (view, { amount_minor }) => void (view.carried_minor = (view.carried_minor ?? 0) + amount_minor),
  discarded(view, { seat, count, default: late }) {
    acted(view, seat, "discard", { count, ...(late ? { default: true } : {}) }).down -= count;
  },
  uncalled_returned(view, { seat, amount_minor, stack_minor }) {
    const player = playerOf(view, seat);
    player.paid_minor -= amount_minor;
    player.bet_minor = Math.max(0, player.bet_minor - amount_minor);
    player.stack_minor = stack_minor;
    if (player.status === "all_in") player.status = "live";
    tally(view);
  },
  protected: (view, { seat }) => void (acted(view, seat, "protected").status = "all_in"),
  cards_shown(view, { seat, cards }) {
    view.seen = { ...view.seen, [seat]: cards };
    view.waiting = view.waiting.filter((one) => one !== seat);
  },
  rabbit_shown: (view, { boards }) => void (view.rabbit = boards),
  hand_shown(view, event) {
    view.shown[event.seat] = event;
    view.waiting = view.waiting.filter((one) => one !== event.seat);
    playerOf(view, event.seat).cards = event.cards;
  },
  hand_mucked(view, { seat }) {
    acted(view, seat, "muck");
  },
  pot_awarded(view, event) {
    view.awards.push(event);
    Object.assign(view, { pots: [], pot_minor: 0, ...NO_PRICE });
    for (const player of view.players) {
      player.stack_minor += event.winners[player.seat] ?? 0;
      player.bet_minor = 0;
      if (player.status === "all_in") player.status = "live";
    }
  },
  hand_over(view, { stacks_minor }) {
    Object.assign(view, { over: true, waiting: [], window: "", pots: [], pot_minor: 0, ...NO_PRICE });
    for (const player of view.players) {
      player.stack_minor = stacks_minor[player.seat] ?? player.stack_minor;
      player.bet_minor = 0;
      if (player.status === "all_in") player.status = "live";
    }
  },
};
