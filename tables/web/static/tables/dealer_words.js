// What a dealer's console says, and what every screen says of its dealer.

export const DEALER_WORDS = {
  en: {
    dealer: "Dealer {name}", dealer_break: "{name} is on a break", no_dealer: "Nobody is signed on", floor_called: "Floor called",
    why_help: "Help", why_dispute: "Dispute", why_chips: "Fill or credit", why_void: "Void asked for",
    sign_on: "Sign on", sign_off: "Sign off", relieve: "Relief", break: "Break", back: "Back to work", close_bets: "Close bets", confirm: "Paid", confirmed: "Confirmed",
    call: "Floor", void_ask: "Ask for void", again: "Tap again: {what}", cancel: "Leave it", who: "Who deals?", your_pin: "PIN of {name}", erase: "Erase", enter: "Enter",
    nobody_known: "Nobody has a PIN for this pit yet. The pit manager gives one in the console.", call_for: "Call the floor for", bar_label: "Dealer's console",
    no_pin_refused: "That is not the PIN.", no_locked_out: "Too many wrong PINs. Try again in {n} min, or ask for a new one.", no_dealer_elsewhere: "Still signed on at {table}. Sign off there, or ask the floor.",
    no_nobody_signed_on: "Nobody is signed on here.", no_bets_not_open: "That betting window is over.", no_nothing_to_pay: "There is nothing to confirm.", no_lost: "The house was not reached. Try again.",
    no_device_invalid: "This screen was shown out.", no_role_missing: "This account does not deal any more.", no_pit_not_yours: "The dealer works in another pit.", no_other: "The house refuses: {code}",
  },
  pl: {
    dealer: "Krupier {name}", dealer_break: "{name} ma przerwę", no_dealer: "Nikt nie jest zalogowany", floor_called: "Wezwano inspektora",
    why_help: "Pomoc", why_dispute: "Spór", why_chips: "Żetony", why_void: "Prośba o unieważnienie",
    sign_on: "Zaloguj", sign_off: "Wyloguj", relieve: "Zmiana", break: "Przerwa", back: "Wracam", close_bets: "Koniec obstawiania", confirm: "Wypłacone", confirmed: "Potwierdzone",
    call: "Inspektor", void_ask: "Proś o unieważnienie", again: "Dotknij ponownie: {what}", cancel: "Zostaw", who: "Kto rozdaje?", your_pin: "PIN: {name}", erase: "Usuń", enter: "Zatwierdź",
    nobody_known: "Nikt nie ma jeszcze PIN-u w tej sekcji. Nadaje go kierownik sekcji w konsoli.", call_for: "Wezwij inspektora", bar_label: "Pulpit krupiera",
    no_pin_refused: "To nie ten PIN.", no_locked_out: "Za dużo błędnych PIN-ów. Spróbuj za {n} min albo poproś o nowy.", no_dealer_elsewhere: "Nadal zalogowany przy stole {table}. Wyloguj się tam albo wezwij inspektora.",
    no_nobody_signed_on: "Nikt nie jest tu zalogowany.", no_bets_not_open: "To obstawianie już się skończyło.", no_nothing_to_pay: "Nie ma czego potwierdzać.", no_lost: "Brak połączenia z kasynem. Spróbuj ponownie.",
    no_device_invalid: "Ten ekran został wycofany.", no_role_missing: "To konto już nie rozdaje.", no_pit_not_yours: "Krupier pracuje w innej sekcji.", no_other: "Kasyno odmawia: {code}",
  },
};
