// What hands are called, in English and Polish: made from the class and the ranks it is named by.
//
// The server tells {class, ranks, words, cards}. Where it tells no ranks (games against the house,
// where no card is wild and none breaks a tie) they are read off the cards.

const ONE = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight",
  7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "deuce",
};
const many = (rank) => (rank === "6" ? "sixes" : `${ONE[rank]}s`);
const JEDEN = {
  A: "as", K: "król", Q: "dama", J: "walet", T: "dziesiątka", 9: "dziewiątka", 8: "ósemka",
  7: "siódemka", 6: "szóstka", 5: "piątka", 4: "czwórka", 3: "trójka", 2: "dwójka",
};
const PAIR_OF = {
  A: "asów", K: "króli", Q: "dam", J: "waletów", T: "dziesiątek", 9: "dziewiątek", 8: "ósemek",
  7: "siódemek", 6: "szóstek", 5: "piątek", 4: "czwórek", 3: "trójek", 2: "dwójek",
};
const UP_TO = {
  A: "asa", K: "króla", Q: "damy", J: "waleta", T: "dziesiątki", 9: "dziewiątki", 8: "ósemki",
  7: "siódemki", 6: "szóstki", 5: "piątki", 4: "czwórki", 3: "trójki", 2: "dwójki",
};
const PAIRS = {
  A: "asy", K: "króle", Q: "damy", J: "walety", T: "dziesiątki", 9: "dziewiątki", 8: "ósemki",
  7: "siódemki", 6: "szóstki", 5: "piątki", 4: "czwórki", 3: "trójki", 2: "dwójki",
};
const ON = {
  A: "asach", K: "królach", Q: "damach", J: "waletach", T: "dziesiątkach", 9: "dziewiątkach", 8: "ósemkach",
  7: "siódemkach", 6: "szóstkach", 5: "piątkach", 4: "czwórkach", 3: "trójkach", 2: "dwójkach",
};
const ORDER = "23456789TJQKA";

function ranksOf({ ranks, cards = [], class: hand }) {
  if (ranks) return [...ranks];
  if (!cards.length || !cards.every((card) => ORDER.includes(card[0]))) return [];
  const counts = {};
  for (const card of cards) counts[card[0]] = (counts[card[0]] ?? 0) + 1;
  const found = Object.keys(counts).sort((a, b) => counts[b] - counts[a] || ORDER.indexOf(b) - ORDER.indexOf(a));
  const isRun = hand === "straight" || hand === "straight_flush";
  const wheel = found.length > 2 && found[0] === "A" && found.at(-1) === "2" && found[1] !== "K";
  return isRun ? [wheel ? found[1] : found[0]] : found;
}

const kickers = (ranks) => (ranks.length ? `, ${ranks.map((rank) => ONE[rank]).join(" ")} kicker${ranks.length > 1 ? "s" : ""}` : "");
const kickery = (ranks) => (ranks.length ? `, kicker${ranks.length > 1 ? "y" : ""} ${ranks.map((rank) => JEDEN[rank]).join(", ")}` : "");
const dashed = (ranks) => ranks.join("-");

const ENGLISH = {
  high_card: ([top, ...rest]) => `High card ${ONE[top]}${kickers(rest)}`,
  pair: ([top, ...rest]) => `Pair of ${many(top)}${kickers(rest)}`,
  two_pair: ([top, second, ...rest]) => `Two pair, ${many(top)} and ${many(second)}${kickers(rest)}`,
  three_of_a_kind: ([top, ...rest]) => `Three of a kind, ${many(top)}${kickers(rest)}`,
  straight: ([top]) => `Straight, ${ONE[top]} high`,
  flush: (ranks) => `Flush, ${ranks.map((rank) => ONE[rank]).join(" ")}`,
  full_house: ([top, second]) => `Full house, ${many(top)} full of ${many(second)}`,
  four_of_a_kind: ([top, ...rest]) => `Four of a kind, ${many(top)}${kickers(rest)}`,
  straight_flush: ([top]) => (top === "A" ? "Royal flush" : `Straight flush, ${ONE[top]} high`),
  five_of_a_kind: ([top]) => `Five of a kind, ${many(top)}`,
  royal_flush: () => "Royal flush",
  mini_royal: () => "Mini royal",
  low: (ranks) => `Low ${dashed(ranks)}`,
  badugi: (ranks) => `Badugi ${dashed(ranks)}`,
  three_card: (ranks) => `Three cards, ${dashed(ranks)}`,
  two_card: (ranks) => `Two cards, ${dashed(ranks)}`,
  one_card: (ranks) => `One card, ${dashed(ranks)}`,
};

const POLISH = {
  high_card: ([top, ...rest]) => `${({ A: "As", K: "Król", Q: "Dama", J: "Walet" })[top] ?? `Do ${UP_TO[top]}`}${kickery(rest)}`,
  pair: ([top, ...rest]) => `Para ${PAIR_OF[top]}${kickery(rest)}`,
  two_pair: ([top, second, ...rest]) => `Dwie pary: ${PAIRS[top]} i ${PAIRS[second]}${kickery(rest)}`,
  three_of_a_kind: ([top, ...rest]) => `Trójka ${PAIR_OF[top]}${kickery(rest)}`,
  straight: ([top]) => `Strit do ${UP_TO[top]}`,
  flush: (ranks) => (ranks.length > 1 ? `Kolor: ${ranks.map((rank) => JEDEN[rank]).join(", ")}` : `Kolor do ${UP_TO[ranks[0]]}`),
  full_house: ([top, second]) => `Ful: ${PAIRS[top]} na ${ON[second]}`,
  four_of_a_kind: ([top, ...rest]) => `Kareta ${PAIR_OF[top]}${kickery(rest)}`,
  straight_flush: ([top]) => `Poker do ${UP_TO[top]}`,
  five_of_a_kind: ([top]) => `Piątka ${PAIR_OF[top]}`,
  royal_flush: () => "Poker królewski",
  mini_royal: () => "Mały poker królewski",
  low: (ranks) => `Low ${dashed(ranks)}`,
  badugi: (ranks) => `Badugi ${dashed(ranks)}`,
  three_card: (ranks) => `Trzy karty: ${dashed(ranks)}`,
  two_card: (ranks) => `Dwie karty: ${dashed(ranks)}`,
  one_card: (ranks) => `Jedna karta: ${dashed(ranks)}`,
};

const HANDS = { en: ENGLISH, pl: POLISH };
export const HAND_CLASSES = Object.keys(ENGLISH);

/** The ranks that name a hand, of classes that have others beside them which only break ties. */
export const NAMED_BY = { high_card: 1, pair: 1, two_pair: 2, three_of_a_kind: 1, four_of_a_kind: 1, flush: 1 };
const naming = (shown) => ranksOf(shown).slice(0, NAMED_BY[shown.class]);

/** A hand in the reader's words; the server's own where it tells too little to make them. */
export function handName(shown, t) {
  const ranks = shown.ranks ? ranksOf(shown) : naming(shown);
  // Three cards and five have words of their own in English only where the server counts them.
  const name = (t.language !== "en" || shown.ranks) && HANDS[t.language]?.[shown.class];
  return name && ranks.length ? name(ranks) : shown.words ?? "";
}

/** The same hand in fewer words: no card that plays no part in its name. */
export function handBrief(shown, t) {
  const ranks = naming(shown);
  if (!ranks.length || !NAMED_BY[shown.class]) return handName(shown, t);
  if (t.language === "en" && shown.class === "flush") return `Flush, ${ONE[ranks[0]]} high`;
  return handName({ ...shown, ranks }, t);
}

const FACES = { 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six" };
const faces = (face) => (face === 6 ? "sixes" : `${FACES[face]}s`);
const DICE_OF = { 1: "jedynek", 2: "dwójek", 3: "trójek", 4: "czwórek", 5: "piątek", 6: "szóstek" };
const DICE = { 1: "jedynki", 2: "dwójki", 3: "trójki", 4: "czwórki", 5: "piątki", 6: "szóstki" };
const DIE = { 1: "jedynka", 2: "dwójka", 3: "trójka", 4: "czwórka", 5: "piątka", 6: "szóstka" };
const DICE_ON = { 1: "jedynkach", 2: "dwójkach", 3: "trójkach", 4: "czwórkach", 5: "piątkach", 6: "szóstkach" };

const DICE_HANDS = {
  en: {
    high_die: ([top]) => `High die, ${FACES[top]}`,
    pair: ([top]) => `Pair of ${faces(top)}`,
    two_pair: ([top, second]) => `Two pair, ${faces(top)} and ${faces(second)}`,
    three_of_a_kind: ([top]) => `Three of a kind, ${faces(top)}`,
    low_straight: () => "Low straight",
    high_straight: () => "High straight",
    full_house: ([top, second]) => `Full house, ${faces(top)} over ${faces(second)}`,
    four_of_a_kind: ([top]) => `Four of a kind, ${faces(top)}`,
    five_of_a_kind: ([top]) => `Five of a kind, ${faces(top)}`,
  },
  pl: {
    high_die: ([top]) => `Wysoka kość: ${DIE[top]}`,
    pair: ([top]) => `Para ${DICE_OF[top]}`,
    two_pair: ([top, second]) => `Dwie pary: ${DICE[top]} i ${DICE[second]}`,
    three_of_a_kind: ([top]) => `Trójka ${DICE_OF[top]}`,
    low_straight: () => "Mały strit",
    high_straight: () => "Duży strit",
    full_house: ([top, second]) => `Ful: ${DICE[top]} na ${DICE_ON[second]}`,
    four_of_a_kind: ([top]) => `Kareta ${DICE_OF[top]}`,
    five_of_a_kind: ([top]) => `Piątka ${DICE_OF[top]}`,
  },
};
export const DICE_CLASSES = Object.keys(DICE_HANDS.en);

/** Poker dice, called or held, in the reader's words. held: the dice themselves, where they lie open. */
export function diceName({ class: hand, faces: called, held, words }, t) {
  const counts = {};
  for (const die of held ?? []) counts[die] = (counts[die] ?? 0) + 1;
  const found = called ?? Object.keys(counts).map(Number).sort((a, b) => counts[b] - counts[a] || b - a);
  const name = DICE_HANDS[t.language]?.[hand];
  return name && (found.length || hand.endsWith("straight")) ? name(found) : words ?? "";
}
