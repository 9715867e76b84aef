// Who deals, and what the floor is called for.

const dealerWith = (state, facts) => {
  if (state.dealer) state.dealer = { ...state.dealer, ...facts };
};

export const DEALER_EVENTS = {
  dealer_on(state, { dealer, since }) {
    state.dealer = { name: dealer, since, break_since: null, confirmed_hand: null };
  },
  dealer_break: (state, { since }) => dealerWith(state, { break_since: since }),
  dealer_back: (state) => dealerWith(state, { break_since: null }),
  dealer_off(state) {
    state.dealer = null;
  },
  payouts_confirmed: (state, { hand_id }) => dealerWith(state, { confirmed_hand: hand_id }),
  floor_called(state, { call, why, hand_id, since }) {
    state.floor_calls = [...(state.floor_calls ?? []), { call, why, hand_id, since }];
  },
  floor_answered(state, { call }) {
    state.floor_calls = (state.floor_calls ?? []).filter((one) => one.call !== call);
  },
};

/** A request to void a hand ends with the hand. */
export function voidsEnded(state) {
  state.floor_calls = (state.floor_calls ?? []).filter(({ why }) => why !== "void");
}
