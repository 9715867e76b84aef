// What each event of dealer's choice does to the table's state.

function answered(choice, seat) {
  choice.waiting = choice.waiting.filter((one) => one !== seat);
  if (choice.waiting.length === 0) choice.turn = null;
}

export const CHOICE_EVENTS = {
  choice_opened(state, { seat, games }) {
    state.table.next_game = null;
    state.choice = { seat, window: "name_game", waiting: [seat], declined: [], games, game: null, turn: null };
  },
  game_named(state, { game }) {
    state.choice.game = state.table.next_game = game;
  },
  game_accepted: (state, { seat }) => answered(state.choice, seat),
  game_declined(state, { seat }) {
    state.choice.declined.push(seat);
    answered(state.choice, seat);
  },
  game_dropped(state) {
    state.choice = null;
    state.table.next_game = null;
  },
};

export function choiceTurn(state, event, at) {
  if (state.you) state.you.legal_actions = []; // those of this turn come with a snapshot
  Object.assign(state.choice, { window: event.window, waiting: event.seats, turn: { ...event, opened_at: at } });
}
