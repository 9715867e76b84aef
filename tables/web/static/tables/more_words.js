// Words for what few hands have: several boards, blinds over the big one, last questions.

export const MORE_EN = {
  last_results: "Last results", hand: "Hand", round: "Round", won_by: "Won by", paid_back: "Paid", hands_in: "Hands in {span}", rounds_in: "Rounds in {span}", since_minutes: "{n} min",
  average_pot: "Average pot", average_round: "Average wagered", largest: "Largest, {number}", showdowns: "Showdowns",
  opt_straddle: "Straddle: {who}", straddle_left: "left of the big blind", straddle_button: "the button", straddle_either: "left of the big blind or the button",
  opt_kill_full: "Full kill {when}", opt_kill_half: "Half kill {when}", kill_two: "for two wins in a row", kill_scoop: "for a scoop", opt_bomb: "Bomb pot {ante}", opt_boards: ["{n} board", "{n} boards"], opt_every: ["every {n} hand", "every {n} hands"],
  opt_runs: "All-in hands run up to {times}", opt_rabbit: "Rabbit shown", opt_show: "Winners are asked whether they show", opt_odd_suit: "Odd chip by suit", opt_uncapped: "No cap on raises heads-up",
  wager_progressive: "Progressive", wager_envy: "Envy", meter: "Jackpot", meter_part: "{hand} {percent} %", short_mini_royal_spades: "A-K-Q of spades", short_any: "any", pays_three_one_colour: "three of a colour", pays_six_one_colour: "six of a colour",
  all_in_for: "all in: {seats} for {amount}", all_in_seats: "all in: {seats}", pots_paid: "{n} of {m} pots paid",
  board_n: "Board {n}", run_n: "Run {n}", run_once: "once", run_2: "twice", run_3: "three times",
  runs_asked: "How often is the board dealt?", runs_wait: ["waiting for seat {seats}", "waiting for seats {seats}"], runs_once: "The board is dealt once", runs_agreed: "The board is dealt {times}",
  log_run: "{who} says: {times}", act_run_1: "Once", act_run_2: "Twice", act_run_3: "Three times", run_words: "How often shall the rest of the board be dealt? All must agree.", then_once: "then once",
  blind_straddle: "straddle", blind_kill: "kill", straddle_next: "Straddle when I may",
  rabbit: "would have come", log_rabbit: "Would have come: {cards}", show_words: "Show your cards? Tap the ones to show, or show all.", act_muck: "Do not show", act_show_all: "Show all", act_show: ["Show {n} card", "Show {n} cards"], pick_show: ["Show {n} card", "Show up to {n} cards"], then_muck: "then they stay closed", may_show: "may show",
  bomb_next: "Next hand: bomb pot", bomb_in: ["Bomb pot in {n} hand", "Bomb pot in {n} hands"], bomb_wish: "Ask for a bomb pot", bomb_asked: "Bomb pot asked for: seats {seats}", leg_up: "leg", kills_next: "kills next", log_bomb_next: "The next hand is a bomb pot", log_kills: "{who} kills the next hand", log_leg: "{who} has a leg",
};

export const MORE_PL = {
  last_results: "Ostatnie wyniki", hand: "Rozdanie", round: "Rozdanie", won_by: "Wygrywa", paid_back: "Wypłacono", hands_in: "Rozdania, {span}", rounds_in: "Rozdania, {span}", since_minutes: "{n} min",
  average_pot: "Średnia pula", average_round: "Średnia stawka", largest: "Największa, {number}", showdowns: "Wyłożenia",
  opt_straddle: "Straddle: {who}", straddle_left: "na lewo od dużej ciemnej", straddle_button: "przycisk", straddle_either: "na lewo od dużej ciemnej albo przycisk",
  opt_kill_full: "Pełny kill {when}", opt_kill_half: "Pół killa {when}", kill_two: "po dwóch wygranych z rzędu", kill_scoop: "po zgarnięciu całej puli", opt_bomb: "Bomb pot {ante}", opt_boards: ["{n} board", "{n} boardy", "{n} boardów"], opt_every: ["co {n} rozdanie", "co {n} rozdania", "co {n} rozdań"],
  opt_runs: "All-in: karty do {times}", opt_rabbit: "Pokazujemy, co byłoby dalej", opt_show: "Wygrywający decyduje, czy pokazuje", opt_odd_suit: "Nieparzysty żeton według koloru", opt_uncapped: "We dwóch bez limitu przebić",
  wager_progressive: "Progresywny", wager_envy: "Envy", meter: "Jackpot", meter_part: "{hand} {percent} %", short_mini_royal_spades: "A-K-D pik", short_any: "każdy", pays_three_one_colour: "trzy jednej barwy", pays_six_one_colour: "sześć jednej barwy",
  all_in_for: "all-in: {seats} za {amount}", all_in_seats: "all-in: {seats}", pots_paid: "wypłacone pule: {n} z {m}",
  board_n: "Board {n}", run_n: "Tura {n}", run_once: "raz", run_2: "dwa razy", run_3: "trzy razy",
  runs_asked: "Ile razy wyłożyć karty?", runs_wait: ["czekamy na miejsce {seats}", "czekamy na miejsca {seats}", "czekamy na miejsca {seats}"], runs_once: "Karty wykładamy raz", runs_agreed: "Karty wykładamy {times}",
  log_run: "{who}: {times}", act_run_1: "Raz", act_run_2: "Dwa razy", act_run_3: "Trzy razy", run_words: "Ile razy wyłożyć resztę kart? Wszyscy muszą się zgodzić.", then_once: "potem raz",
  blind_straddle: "straddle", blind_kill: "kill", straddle_next: "Straddle, gdy mogę",
  rabbit: "byłoby dalej", log_rabbit: "Byłoby dalej: {cards}", show_words: "Pokazać karty? Dotknij tych, które pokazujesz, albo pokaż wszystkie.", act_muck: "Nie pokazuję", act_show_all: "Pokaż wszystkie", act_show: ["Pokaż {n} kartę", "Pokaż {n} karty", "Pokaż {n} kart"], pick_show: ["Pokaż {n} kartę", "Pokaż do {n} kart", "Pokaż do {n} kart"], then_muck: "potem zostają zakryte", may_show: "może pokazać",
  bomb_next: "Następne: bomb pot", bomb_in: ["Bomb pot za {n} rozdanie", "Bomb pot za {n} rozdania", "Bomb pot za {n} rozdań"], bomb_wish: "Poproś o bomb pot", bomb_asked: "O bomb pot proszą miejsca {seats}", leg_up: "wygrana", kills_next: "kill w następnym", log_bomb_next: "Następne rozdanie to bomb pot", log_kills: "{who} robi kill w następnym rozdaniu", log_leg: "{who} ma pierwszą wygraną",
};

/** "twice": how often the rest of a board is dealt. */
export const timesWords = (n, t) => t(n > 1 ? `run_${n}` : "run_once");
