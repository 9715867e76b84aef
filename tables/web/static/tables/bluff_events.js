// What each event of liar's dice does to the public view: bids and calls, and dice once shown.

export function bluffView(opened) {
  return {
    family: "bluff",
    game: opened.game?.id,
    players: opened.seats.map(({ seat, stack_minor }) => ({ seat, stack_minor, left: opened.stakes?.lives ?? 3, status: "live", down: 0 })),
    pot_minor: 0,
    waiting: [],
    window: "dice",
    over: false,
  };
}

const playerOf = (view, seat) => view.players.find((one) => one.seat === seat);

function spoken(view, seat) {
  view.waiting = view.waiting.filter((one) => one !== seat);
}

// Five dice under one cup: whoever holds it has them all.
function hold(view, seat, count) {
  view.holder = seat;
  for (const player of view.players) player.down = player.seat === seat ? count : 0;
}

export const BLUFF_EVENTS = {
  ante_posted(view, { seat, amount_minor, stack_minor }) {
    view.pot_minor += amount_minor;
    playerOf(view, seat).stack_minor = stack_minor;
  },
  lot_drawn: (view, { rolls, first }) => void (view.lot = { rolls, first }),
  dice_rolled(view, { counts, seat, count }) {
    if (counts) {
      for (const player of view.players) {
        const left = counts[player.seat] ?? 0;
        Object.assign(player, { down: left, left });
      }
      const dice_in_play = Object.values(counts).reduce((sum, one) => sum + one, 0);
      Object.assign(view, { bid: null, bidder: null, dice_in_play });
    } else {
      const again = view.holder === seat && !view.reveal?.closed;
      if (!again) Object.assign(view, { call: null, caller: null });
      hold(view, seat, again ? playerOf(view, seat).down : count);
      spoken(view, seat);
    }
    if (view.reveal) view.reveal.closed = false;
  },
  bid_made(view, { seat, quantity, face, words }) {
    Object.assign(view, { bid: { quantity, face, words }, bidder: seat });
    spoken(view, seat);
  },
  hand_called(view, { seat, class: hand, faces, words }) {
    Object.assign(view, { call: { class: hand, faces, words }, caller: seat });
    spoken(view, seat);
  },
  dice_passed(view, { seat, caller }) {
    hold(view, seat, playerOf(view, caller).down);
    spoken(view, seat);
  },
  challenged(view, { seat, bidder, caller }) {
    view.reveal = { challenger: seat, bidder: bidder ?? caller };
    spoken(view, seat);
  },
  dice_shown: (view, { dice, bid, called, count, class: hand, words }) =>
    void Object.assign(view.reveal, { dice, bid, called, count, held: { class: hand, held: Object.values(dice)[0], words } }),
  challenge_settled(view, { truth, winner, loser, words }) {
    Object.assign(view.reveal, { truth, winner, loser, words, closed: true });
  },
  die_lost: (view, { seat, left }) => void (playerOf(view, seat).left = left),
  life_lost: (view, { seat, left }) => void (playerOf(view, seat).left = left),
  seat_out: (view, { seat }) => void Object.assign(playerOf(view, seat), { left: 0, status: "out" }),
  ante_paid: (view, { seat, to, amount_minor, stack_minor }) => {
    playerOf(view, seat).stack_minor = stack_minor;
    playerOf(view, to).stack_minor += amount_minor;
    view.paid = { seat, to, amount_minor };
  },
  pot_awarded: (view, award) => void (view.award = award),
  hand_over(view, { stacks_minor }) {
    Object.assign(view, { over: true, waiting: [], window: "", pot_minor: 0 });
    for (const player of view.players) player.stack_minor = stacks_minor[player.seat] ?? player.stack_minor;
  },
};
