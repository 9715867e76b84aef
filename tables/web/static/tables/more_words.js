// Words for what few hands have: several boards, blinds over the big one, last questions.

export const MORE_EN = {
  all_in_for: "all in: {seats} for {amount}", all_in_seats: "all in: {seats}", pots_paid: "{n} of {m} pots paid",
  board_n: "Board {n}", run_n: "Run {n}", run_once: "once", run_2: "twice", run_3: "three times",
  runs_asked: "How often is the board dealt?", runs_wait: "waiting for seats {seats}", runs_once: "The board is dealt once", runs_agreed: "The board is dealt {times}",
  log_run: "{who} says: {times}", act_run_1: "Once", act_run_2: "Twice", act_run_3: "Three times", run_words: "How often shall the rest of the board be dealt? All must agree.", then_once: "then once",
  blind_straddle: "straddle", blind_kill: "kill", straddle_next: "Straddle when I may",
  rabbit: "would have come", log_rabbit: "Would have come: {cards}", show_words: "Show your cards? Tap the ones to show, or show all.", act_muck: "Do not show", act_show_all: "Show all", act_show: ["Show {n} card", "Show {n} cards"], pick_show: ["Show {n} card", "Show up to {n} cards"], then_muck: "then they stay closed", may_show: "may show",
  bomb_next: "Next hand: bomb pot", bomb_in: ["Bomb pot in {n} hand", "Bomb pot in {n} hands"], bomb_wish: "Ask for a bomb pot", bomb_asked: "Bomb pot asked for: seats {seats}", leg_up: "leg", kills_next: "kills next", log_bomb_next: "The next hand is a bomb pot", log_kills: "{who} kills the next hand", log_leg: "{who} has a leg",
};

export const MORE_PL = {
  all_in_for: "all-in: {seats} za {amount}", all_in_seats: "all-in: {seats}", pots_paid: "wypłacone pule: {n} z {m}",
  board_n: "Stół {n}", run_n: "Rozdanie {n}", run_once: "raz", run_2: "dwa razy", run_3: "trzy razy",
  runs_asked: "Ile razy wyłożyć karty?", runs_wait: "czekamy na miejsca {seats}", runs_once: "Karty wykładamy raz", runs_agreed: "Karty wykładamy {times}",
  log_run: "{who}: {times}", act_run_1: "Raz", act_run_2: "Dwa razy", act_run_3: "Trzy razy", run_words: "Ile razy wyłożyć resztę kart? Wszyscy muszą się zgodzić.", then_once: "potem raz",
  blind_straddle: "straddle", blind_kill: "kill", straddle_next: "Straddle, gdy mogę",
  rabbit: "byłoby dalej", log_rabbit: "Byłoby dalej: {cards}", show_words: "Pokazać karty? Dotknij tych, które pokazujesz, albo pokaż wszystkie.", act_muck: "Nie pokazuję", act_show_all: "Pokaż wszystkie", act_show: ["Pokaż {n} kartę", "Pokaż {n} karty", "Pokaż {n} kart"], pick_show: ["Pokaż {n} kartę", "Pokaż do {n} kart", "Pokaż do {n} kart"], then_muck: "potem zostają zakryte", may_show: "może pokazać",
  bomb_next: "Następne: bomb pot", bomb_in: ["Bomb pot za {n} rozdanie", "Bomb pot za {n} rozdania", "Bomb pot za {n} rozdań"], bomb_wish: "Poproś o bomb pot", bomb_asked: "O bomb pot proszą miejsca {seats}", leg_up: "wygrana", kills_next: "kill w następnym", log_bomb_next: "Następne rozdanie to bomb pot", log_kills: "{who} robi kill w następnym rozdaniu", log_leg: "{who} ma pierwszą wygraną",
};

/** "twice": how often the rest of a board is dealt. */
export const timesWords = (n, t) => t(n > 1 ? `run_${n}` : "run_once");
