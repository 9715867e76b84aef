// Words in English and Polish. Codes come from the server, words are made here.

import { MORE_EN, MORE_PL } from "./more_words.js";

const EN = {
  joker: "Joker", card_of: "{rank} of {suit}", face_down: "face-down card", and: "and",
  rank_A: "Ace", rank_K: "King", rank_Q: "Queen", rank_J: "Jack", rank_T: "Ten", rank_9: "Nine", rank_8: "Eight",
  rank_7: "Seven", rank_6: "Six", rank_5: "Five", rank_4: "Four", rank_3: "Three", rank_2: "Two",
  suit_s: "spades", suit_h: "hearts", suit_d: "diamonds", suit_c: "clubs",

  title: "Dealer display", table_n: "Table {name}", hand_n: "Hand {n}", round_n: "Round {n}", root: "Root {root}",
  cut_by: ["· cut by {n} player", "· cut by {n} players"], cut_house: "· cut by the house alone", cut_certified: "· certified, dealt by the house alone", cut_scripted: "· scripted for a test",
  live: "LIVE", lag: "LAGGING", stale: "STALE", age_s: "{s} s", resynced: "Resynchronised",
  do_not_pay: "Do not pay from this screen", reconnecting: "Reconnecting, try {n}. The hand is safe on the server.",
  catching_up: "Waiting for the server. The hand is safe there.", not_allowed: "This screen is not admitted to the table. Call the floor.",
  data: "data", seconds_old: ["second old", "seconds old"], frozen: "This screen has stopped. Do not pay from it.",

  seats_label: "Seats, a horseshoe as the dealer sees it", spots_label: "Spots, left to right as the dealer sees them",
  open: "open", waits_next: "joins the next hand", waits_blind: "waits for the big blind", clock_time_bank: "Time bank", misdeal_plays_on: "Misdeal: the hand plays on", misdeal_fresh_deck: "Misdeal: a fresh deck is dealt", hand_reversed: "Hand {n} was undone by the house", clock_disconnect: "Connection lost: extra time", button_drawn: "Button drawn: seat {seat} with {card}", seat_sitting_out: "sitting out", seat_leaving: "leaving",
  button: "dealer button", all_in: "all in", capped: "at the cap", cap_of: "cap {n} BB", to_act: "to act", has_in: "has in", shown: "shown", time_out: "time out",
  did_fold: "folds", did_check: "checks", did_call: "calls", did_bet: "bets", did_raise: "raises to", did_complete: "completes to",
  did_bring_in: "brings in", did_arrange: "has arranged", did_draw: "draws {count}", did_stand_pat: "stands pat", did_discard: "discards {count}", did_pass: "passes {count}", did_declare: "has declared", did_spit: "calls the spit", declares: "declares {side}",
  side_high: "high", side_low: "low", side_both: "both", pot_carried: "Carried to the next hand", bring_in: "bring-in", did_ante: "ante", did_blind: "blind", did_muck: "Not shown",
  blind_small: "small blind", blind_big: "big blind", blind_dead: "dead blind", blind_live: "live blind", wins_unshown: "Wins, not shown", wins_seen: ["Wins, shows {n} card", "Wins, shows {n} cards"],
  board: "Board", pots: "Pots", pot: "Pot", pot_main: "Main", pot_side: "Side {n}", in_all: "In all", eligible: "Eligible",
  eligible_seats: "eligible: seats {seats}", high: "high", low: "low", tied: "tied", low_tied: "low tied", high_tied: "high tied",
  tied_seats: "split between seats {seats}", kicker_decides: "the {rank} decides", passed_out: "Nobody opened", seats_to_act: ["{n} seat to act", "{n} seats to act"],
  window_discard: "to discard", window_pass: "to pass cards", window_arrange: "to put the cards in order", window_declare: "to declare", window_offer: "to take or refuse the card",
  no_low: "no qualifying low", no_high: "no high", rake: "rake", rake_in_all: "Rake in all", drop: "jackpot drop", jackpot: "jackpot", high_hand: "high hand: {words} until {until}", jackpot_hit: "Bad beat! Jackpot of {amount}, being verified", up_to: "up to {amount}", from_pot: "from pots of {amount}", time_fee: "time {amount} / {n} min", drop_in_all: "Jackpot drop in all", others_folded: "everybody else has folded",
  seat_to_act: ["Seat {seats} to act", "Seats {seats} to act"], to_call: "to call", to_bring_in: "to bring in", complete_to: "complete to", may_check: "may check", raise_to: "raise to", bet_of: "bet",
  draws_now: "to draw", dealing: "Dealing", seat_wins: "Seat {seat} wins", seconds_left: ["{n} second left", "{n} seconds left"],
  seconds: ["second", "seconds"],

  limit_no_limit: "No limit", limit_pot: "Pot limit", limit_half_pot: "Half-pot limit", limit_fixed: "Limit", limit_spread: "Spread limit",
  street_preflop: "Before the flop", street_flop: "Flop", street_turn: "Turn", street_river: "River", street_third: "Third street",
  street_fourth: "Fourth street", street_fifth: "Fifth street", street_sixth: "Sixth street", street_seventh: "Seventh street",
  street_deal: "First bets", street_postdraw: "After the draw", street_draw1: "First draw", street_draw2: "Second draw", street_draw3: "Third draw",
  street_three: "Three cards", street_four: "Four cards", street_five: "Five cards", street_pass_right: "Pass to the right", street_pass_left1: "Pass to the left", street_pass_left2: "Pass to the left",
  street_roll1: "First roll", street_roll2: "Second roll", street_roll3: "Third roll", street_roll4: "Fourth roll",
  street_predraw: "Before the draw", street_draw: "Draw", street_pass: "Passing", street_first_draw: "First draw", street_second_draw: "Second draw", street_third_draw: "Third draw",
  choice_names: "{name} names the next game", choice_next: "Next game: {game}", choice_waits: ["waiting for seat {seats}", "waiting for seats {seats}"], choice_declined: ["sitting it out: seat {seats}", "sitting it out: seats {seats}"], phase_choice: "Dealer's choice",
  phase_showdown: "Showdown", phase_over: "Hand over", phase_idle: "Between hands", phase_between_rounds: "Between rounds", phase_dealing: "Dealing",
  phase_betting: "Betting", phase_closed: "No more bets", phase_decision: "Decisions", phase_settlement: "Settlement", phase_paid: "All paid", phase_empty: "No bets",

  hidden_die: "hidden die", die_1: "one", die_2: "two", die_3: "three", die_4: "four", die_5: "five", die_6: "six",
  phase_bidding: "Bidding", phase_rolling: "Dice are rolled", challenges: "challenges", bid_stands: "bid stands", is_out: "out", left_n: "{n} left", lives_n: ["{n} life left", "{n} lives left"],
  bid_by: "bid of seat {seat}", called_by: "called by seat {seat}", no_bid: "No bid yet", bid_true: "The bid is true", bid_false: "The bid is false",
  seat_loses: "Seat {seat} loses", dice_in_play: ["{n} die in play", "{n} dice in play"], pays_to: "Seat {seat} pays {amount} to seat {to}",
  waiting_players: "Waiting for players", seats_taken: "{n} of {m} seats taken", next_hand: "Next hand in a moment", next_round: "Next round in a moment",
  status_stopped: "Table stopped: the hand stands still", house_stopped: "The house has stopped dealing", status_closed: "Table closed", status_paused: "Table paused", status_draining: "The table closes", buy_in: "Buy-in {range}",
  void: "Hand void", void_words: "All bets go back to the players.", clock_held: "Clock stopped",

  wager_ante: "Ante", wager_play: "Play", wager_ante_bonus: "Ante Bonus", wager_pair_plus: "Pair Plus", wager_six_card: "6-Card", wager_prime: "Prime",
  placard: "Placard", pays_to_1: "pays to 1", short_royal_flush: "Royal", short_mini_royal: "Mini", short_straight_flush: "St. fl.",
  short_four_of_a_kind: "Quads", short_full_house: "Full", short_three_of_a_kind: "Trips", short_straight: "Str.", short_flush: "Flush", short_pair: "Pair",
  qualifier_none: "Dealer always plays", qualifier_ten: "Ten high qualifies", qualifier_jack: "Jack high qualifies",
  qualifier_queen: "Queen high qualifies", qualifier_king: "King high qualifies", qualifier_ace: "Ace high qualifies", qualifier_pair: "A pair qualifies",
  rule_tie: "tie pushes", rule_tie_wins: "tie pays the player", rule_fold_loses: "fold loses Pair Plus", rule_fold_keeps: "Pair Plus stays alive",
  place_bets: "Place your bets", bets_closing: "Bets closing", no_more_bets: "No more bets", no_bet_yet: "no bet yet", no_bets: "No bets this round",
  spots_in_play: "Spots in play", of_n: "of {n}", wagered: "Wagered", reserved: "Held for Play",
  plays: "Plays", folds: "Folds", decides: "Decides …", no_decision: "No decision", decided_n_of_m: "{n} of {m} decided",
  all_decided: "All have decided", waiting_for: ["Waiting for spot {seats}", "Waiting for spots {seats}"], time_up: "Time is up; the server closes the window",
  dealers_hand: "Dealer's hand", qualifies: "Qualifies", not_qualifies: "Does not qualify", dealer_down: "Dealer's cards, face down", dealer_not_needed: "Dealer's hand is not needed",
  settle_now: "settle now", settled_done: "paid", next: "next", folded: "Folded", pay: "Pay", take: "Take", push: "Push", odds: "{gain} to {stake}",
  spot_n: "Spot {n}", spot_in_all: "Spot {n} in all", round_in_all: "Round in all", all_paid: "All paid", paid_n_of_m: "paid {n} of {m}",
  why_win: "beats the dealer", why_lose: "the dealer's hand is better", why_push_tie: "tie with the dealer",
  why_win_dealer_not_qualified: "dealer does not qualify", why_fold_lose: "folded", why_no_ante: "no Ante in play",
  say_spot: "Spot {n}: {words}", say_turn: ["Seat {seats} to act, {owe}", "Seats {seats} to act, {owe}"], say_to_call: "{amount} to call",
};

const PL = {
  joker: "dżoker", card_of: "{rank} {suit}", face_down: "karta zakryta", and: "i",
  rank_A: "as", rank_K: "król", rank_Q: "dama", rank_J: "walet", rank_T: "dziesiątka", rank_9: "dziewiątka", rank_8: "ósemka",
  rank_7: "siódemka", rank_6: "szóstka", rank_5: "piątka", rank_4: "czwórka", rank_3: "trójka", rank_2: "dwójka",
  suit_s: "pik", suit_h: "kier", suit_d: "karo", suit_c: "trefl",

  title: "Ekran krupiera", table_n: "Stół {name}", hand_n: "Rozdanie {n}", round_n: "Rozdanie {n}", root: "Korzeń {root}",
  cut_by: ["· przełożona przez {n} gracza", "· przełożona przez {n} graczy", "· przełożona przez {n} graczy"], cut_house: "· przełożona tylko przez kasyno", cut_certified: "· certyfikowana, rozdana tylko przez kasyno", cut_scripted: "· ułożona na próbę",
  live: "NA ŻYWO", lag: "OPÓŹNIENIE", stale: "NIEAKTUALNE", age_s: "{s} s", resynced: "Zsynchronizowano ponownie",
  do_not_pay: "Nie wypłacaj z tego ekranu", reconnecting: "Ponowne łączenie, próba {n}. Rozdanie jest bezpieczne na serwerze.",
  catching_up: "Czekam na serwer. Rozdanie jest tam bezpieczne.", not_allowed: "Ten ekran nie ma dostępu do stołu. Wezwij inspektora.",
  data: "dane sprzed", seconds_old: ["sekundy", "sekund", "sekund"], frozen: "Ekran stanął. Nie wypłacaj z niego.",

  seats_label: "Miejsca w podkowie, jak widzi je krupier", spots_label: "Boksy od lewej, jak widzi je krupier",
  open: "wolne", waits_next: "gra od następnego", waits_blind: "czeka na dużą ciemną", clock_time_bank: "Bank czasu", misdeal_plays_on: "Błąd rozdania: gramy dalej", misdeal_fresh_deck: "Błąd rozdania: nowa talia", hand_reversed: "Rozdanie {n} zostało cofnięte przez kasyno", clock_disconnect: "Utracone połączenie: dodatkowy czas", button_drawn: "Przycisk wylosowany: miejsce {seat}, karta {card}", seat_sitting_out: "przerwa", seat_leaving: "odchodzi",
  button: "przycisk rozdającego", all_in: "all-in", capped: "limit wpłaty", cap_of: "limit {n} BB na rozdanie", to_act: "decyduje", has_in: "wpłacił", shown: "pokazane", time_out: "czas minął",
  did_fold: "pasuje", did_check: "czeka", did_call: "sprawdza", did_bet: "stawia", did_raise: "przebija do", did_complete: "dopełnia do",
  did_bring_in: "otwiera", did_arrange: "ułożył", did_draw: "wymienia {count}", did_stand_pat: "nie wymienia", did_discard: "odrzuca {count}", did_pass: "podaje {count}", did_declare: "zadeklarował", did_spit: "żąda spita", declares: "deklaruje {side}",
  side_high: "high", side_low: "low", side_both: "oba", pot_carried: "Przechodzi na następne rozdanie", bring_in: "otwarcie", did_ante: "ante", did_blind: "ciemna", did_muck: "Nie pokazał",
  blind_small: "mała ciemna", blind_big: "duża ciemna", blind_dead: "martwa ciemna", blind_live: "żywa ciemna", wins_unshown: "Wygrywa bez pokazania", wins_seen: ["Wygrywa, pokazuje {n} kartę", "Wygrywa, pokazuje {n} karty", "Wygrywa, pokazuje {n} kart"],
  board: "Karty wspólne", pots: "Pule", pot: "Pula", pot_main: "Główna", pot_side: "Boczna {n}", in_all: "Razem", eligible: "Grają o nią",
  eligible_seats: "grają o nią miejsca {seats}", high: "high", low: "low", tied: "remis", low_tied: "remis low", high_tied: "remis high",
  tied_seats: "dzielą miejsca {seats}", kicker_decides: "decyduje {rank}", passed_out: "Nikt nie otworzył", seats_to_act: ["Decyduje {n} miejsce", "Decydują {n} miejsca", "Decyduje {n} miejsc"],
  window_discard: "odrzucanie kart", window_pass: "podanie kart", window_arrange: "układanie kart", window_declare: "deklaracja", window_offer: "karta: wziąć albo odmówić",
  no_low: "brak low", no_high: "brak high", rake: "prowizja", rake_in_all: "Prowizja razem", drop: "na jackpot", jackpot: "jackpot", high_hand: "najwyższy układ: {words} do {until}", jackpot_hit: "Bad beat! Jackpot {amount}, w trakcie weryfikacji", up_to: "do {amount}", from_pot: "od puli {amount}", time_fee: "za czas {amount} / {n} min", drop_in_all: "Na jackpot razem", others_folded: "pozostali spasowali",
  seat_to_act: ["Decyduje miejsce {seats}", "Decydują miejsca {seats}", "Decydują miejsca {seats}"], to_call: "do sprawdzenia", to_bring_in: "na otwarcie", complete_to: "dopełnienie do", may_check: "może czekać", raise_to: "przebicie do", bet_of: "stawka",
  draws_now: "wymiana kart", dealing: "Rozdawanie", seat_wins: "Wygrywa miejsce {seat}",
  seconds_left: ["została {n} sekunda", "zostały {n} sekundy", "zostało {n} sekund"], seconds: ["sekunda", "sekundy", "sekund"],

  limit_no_limit: "No limit", limit_pot: "Pot limit", limit_half_pot: "Half-pot limit", limit_fixed: "Limit", limit_spread: "Spread limit",
  street_preflop: "Przed flopem", street_flop: "Flop", street_turn: "Turn", street_river: "River", street_third: "Trzecia ulica",
  street_fourth: "Czwarta ulica", street_fifth: "Piąta ulica", street_sixth: "Szósta ulica", street_seventh: "Siódma ulica",
  street_deal: "Pierwsza licytacja", street_postdraw: "Po wymianie", street_draw1: "Pierwsza wymiana", street_draw2: "Druga wymiana", street_draw3: "Trzecia wymiana",
  street_three: "Trzy karty", street_four: "Cztery karty", street_five: "Pięć kart", street_pass_right: "Podanie w prawo", street_pass_left1: "Podanie w lewo", street_pass_left2: "Podanie w lewo",
  street_roll1: "Pierwsza karta", street_roll2: "Druga karta", street_roll3: "Trzecia karta", street_roll4: "Czwarta karta",
  street_predraw: "Przed wymianą", street_draw: "Wymiana", street_pass: "Podanie kart", street_first_draw: "Pierwsza wymiana", street_second_draw: "Druga wymiana", street_third_draw: "Trzecia wymiana",
  choice_names: "{name} wybiera następną grę", choice_next: "Następna gra: {game}", choice_waits: ["czekamy na miejsce {seats}", "czekamy na miejsca {seats}", "czekamy na miejsca {seats}"], choice_declined: ["pauzuje miejsce {seats}", "pauzują miejsca {seats}", "pauzują miejsca {seats}"], phase_choice: "Wybór rozdającego",
  phase_showdown: "Wyłożenie kart", phase_over: "Koniec rozdania", phase_idle: "Przerwa", phase_between_rounds: "Przerwa", phase_dealing: "Rozdawanie",
  phase_betting: "Obstawianie", phase_closed: "Koniec obstawiania", phase_decision: "Decyzje", phase_settlement: "Rozliczenie", phase_paid: "Rozliczone", phase_empty: "Bez stawek",

  hidden_die: "kość zakryta", die_1: "jedynka", die_2: "dwójka", die_3: "trójka", die_4: "czwórka", die_5: "piątka", die_6: "szóstka",
  phase_bidding: "Licytacja", phase_rolling: "Rzut kośćmi", challenges: "sprawdza", bid_stands: "ostatnia stawka", is_out: "odpadł", left_n: "zostało {n}", lives_n: ["zostało {n} życie", "zostały {n} życia", "zostało {n} żyć"],
  bid_by: "stawka miejsca {seat}", called_by: "zapowiedź miejsca {seat}", no_bid: "Jeszcze bez stawki", bid_true: "Stawka prawdziwa", bid_false: "Stawka fałszywa",
  seat_loses: "Traci miejsce {seat}", dice_in_play: ["{n} kość w grze", "{n} kości w grze", "{n} kości w grze"], pays_to: "Miejsce {seat} płaci {amount} miejscu {to}",
  waiting_players: "Czekamy na graczy", seats_taken: "zajęte miejsca: {n} z {m}", next_hand: "Zaraz następne rozdanie", next_round: "Zaraz następne rozdanie",
  status_stopped: "Stół zatrzymany: rozdanie stoi", house_stopped: "Kasyno wstrzymało rozdawanie", status_closed: "Stół zamknięty", status_paused: "Stół wstrzymany", status_draining: "Stół się zamyka", buy_in: "Wejście {range}",
  void: "Rozdanie unieważnione", void_words: "Wszystkie stawki wracają do graczy.", clock_held: "Zegar stoi",

  wager_ante: "Ante", wager_play: "Gra", wager_ante_bonus: "Ante Bonus", wager_pair_plus: "Pair Plus", wager_six_card: "6 kart", wager_prime: "Prime",
  placard: "Tabliczka", pays_to_1: "płaci do 1", short_royal_flush: "Król.", short_mini_royal: "Mini", short_straight_flush: "Poker",
  short_four_of_a_kind: "Kareta", short_full_house: "Ful", short_three_of_a_kind: "Trójka", short_straight: "Strit", short_flush: "Kolor", short_pair: "Para",
  qualifier_none: "Krupier gra zawsze", qualifier_ten: "Gra od dziesiątki", qualifier_jack: "Gra od waleta",
  qualifier_queen: "Gra od damy", qualifier_king: "Gra od króla", qualifier_ace: "Gra od asa", qualifier_pair: "Gra od pary",
  rule_tie: "remis zwraca", rule_tie_wins: "remis płaci graczowi", rule_fold_loses: "pas traci Pair Plus", rule_fold_keeps: "Pair Plus gra dalej",
  place_bets: "Proszę obstawiać", bets_closing: "Kończymy", no_more_bets: "Koniec obstawiania", no_bet_yet: "jeszcze bez stawki", no_bets: "Rozdanie bez stawek",
  spots_in_play: "Boksy w grze", of_n: "z {n}", wagered: "Postawiono", reserved: "Odłożone na Grę",
  plays: "Gra", folds: "Pas", decides: "Decyduje …", no_decision: "Bez decyzji", decided_n_of_m: "Decyzje: {n} z {m}",
  all_decided: "Wszyscy zdecydowali", waiting_for: ["Czekamy na boks {seats}", "Czekamy na boksy {seats}", "Czekamy na boksy {seats}"], time_up: "Czas minął; serwer zamyka decyzje",
  dealers_hand: "Karty krupiera", qualifies: "Kwalifikuje się", not_qualifies: "Nie kwalifikuje się", dealer_down: "Karty krupiera, zakryte", dealer_not_needed: "Karty krupiera niepotrzebne",
  settle_now: "rozlicz", settled_done: "gotowe", next: "następny", folded: "Pas", pay: "Płać", take: "Bierz", push: "Remis", odds: "{gain} do {stake}",
  spot_n: "Boks {n}", spot_in_all: "Razem", round_in_all: "Razem", all_paid: "Rozliczone", paid_n_of_m: "rozliczono {n} z {m}",
  why_win: "bije krupiera", why_lose: "karty krupiera są lepsze", why_push_tie: "remis z krupierem",
  why_win_dealer_not_qualified: "krupier się nie kwalifikuje", why_fold_lose: "pas", why_no_ante: "bez Ante",
  say_spot: "Boks {n}: {words}", say_turn: ["Decyduje miejsce {seats}, {owe}", "Decydują miejsca {seats}, {owe}", "Decydują miejsca {seats}, {owe}"], say_to_call: "{amount} do sprawdzenia",
};

export const WORDS = { en: { ...EN, ...MORE_EN }, pl: { ...PL, ...MORE_PL } };

/** Index of the plural form: English has two, Polish three for whole numbers. */
export function plural(n, language) {
  if (language !== "pl") return n === 1 ? 0 : 1;
  if (n === 1) return 0;
  const few = n % 10 >= 2 && n % 10 <= 4 && !(n % 100 >= 12 && n % 100 <= 14);
  return few ? 1 : 2;
}

/**
 * more: a page's own phrases, by language, beside those that all screens share. In the language
 * "both" words are English, and `t.second` says them in Polish.
 */
export function translator(language, more = {}) {
  const known = WORDS[language] ? language : "en";
  const words = { ...WORDS[known], ...more[known] };
  const t = (key, facts = {}) => {
    const entry = words[key] ?? EN[key] ?? key;
    const text = Array.isArray(entry) ? entry[plural(facts.n ?? 0, known)] : entry;
    return text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
  };
  t.language = known;
  t.second = language === "both" ? translator("pl", more) : null;
  t.has = (key) => key in words;
  return t;
}

export function languageOf(config, search) {
  const asked = new URLSearchParams(search).get("lang") ?? config.language ?? "en";
  if (asked === "both") return asked;
  return asked.slice(0, 2) in WORDS ? asked.slice(0, 2) : "en";
}

export { diceName, handName } from "./hand_names.js";

/** Why a spot's Ante went the way it went, in a few words. */
export function outcomeWords(spot, dealer, t) {
  const ante = spot.settled.wagers.ante;
  if (!ante || (ante.stake_minor === 0 && ante.net_minor === 0)) return t("why_no_ante");
  const key = `why_${ante.outcome}`;
  return t.has(key) ? t(key) : spot.settled.words ?? ante.words ?? "";
}
