import { DICE_CLASSES, HAND_CLASSES, diceName, handBrief, handName } from "../../../tables/web/static/tables/hand_names.js";
import { WORDS, languageOf, plural, translator } from "../../../tables/web/static/tables/i18n.js";
import { costsWords } from "../../../tables/web/static/tables/costs.js";
import { money } from "../../../tables/web/static/tables/money.js";
import { Duo } from "../../../tables/web/static/tables/parts.js";
import { equal, ok } from "./check.js";

const places = (entry) => [entry].flat().map((text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort());

export const tests = {
  "every phrase exists in both languages and names the same facts"() {
    equal(Object.keys(WORDS.pl).sort(), Object.keys(WORDS.en).sort());
    for (const key of Object.keys(WORDS.en)) {
      const [english, polish] = [WORDS.en[key], WORDS.pl[key]].map(places);
      for (const form of [...english, ...polish]) {
        if (key !== "spot_in_all") equal(form, english[0], key);
      }
      equal(Array.isArray(WORDS.pl[key]), Array.isArray(WORDS.en[key]), key);
    }
  },
  "what a seat costs is said before anybody sits down"() {
    const stakes = { rake: { basis_points: 500, caps_minor: { 2: 100, 4: 300 } }, drop: { amount_minor: 50, from_minor: 2000 } };
    const table = { stakes, time_collection: { amount_minor: 600, every_s: 1800 }, jackpot: { meter_minor: 105050, leads: null } };
    const said = (language, facts) => costsWords(facts, (minor) => money(minor, 2, language), translator(language));
    equal(said("en", table), "rake 5 % up to 3 · jackpot drop 0.50 from pots of 20 · jackpot 1,050.50 · time 6 / 30 min");
    equal(said("pl", { stakes: { drop: { basis_points: 150 } } }), "na jackpot 1,5 %");
    equal(said("en", { stakes: {} }), "");
    const leads = { class: "four_of_a_kind", ranks: "AK", words: "?", until: "2026-01-15T20:00:00.000Z" };
    ok(said("pl", { jackpot: { meter_minor: 1, leads } }).includes("Kareta asów"));
  },
  "a screen of both languages says once what is the same in both"() {
    const t = translator("both");
    const said = (word) => [Duo({ t, word })].flat(9).map((one) => one?.type?.(one.props) ?? one).flat(9).filter((one) => one?.type === "small").length;
    equal(said("to_act"), 1);
    equal(said("all_in"), 0); // but for a hyphen
    equal(said("street_turn"), 0);
  },
  "Polish counts in three forms"() {
    equal([1, 2, 4, 5, 11, 12, 14, 21, 22, 104, 112].map((n) => plural(n, "pl")), [0, 1, 1, 2, 2, 2, 2, 2, 1, 1, 2]);
    equal(translator("pl")("seconds_left", { n: 3 }), "zostały 3 sekundy");
    equal(translator("en")("seconds_left", { n: 1 }), "1 second left");
  },
  "the address can ask for a language; an unknown one reads English"() {
    equal(languageOf({ language: "en" }, "?lang=pl"), "pl");
    equal(languageOf({ language: "pl-PL" }, ""), "pl");
    equal(languageOf({ language: "de" }, ""), "en");
  },
  "Polish names a hand from its class and cards"() {
    const t = translator("pl");
    const name = (hand, cards) => handName({ class: hand, words: "?", cards: cards.split(" ") }, t);
    equal(name("pair", "Th Ts 3d"), "Para dziesiątek");
    equal(name("flush", "Jh 6h 2h"), "Kolor do waleta");
    equal(name("straight", "Ah 5c 4d 3s 2h"), "Strit do piątki");
    equal(name("straight", "3h 2c Ad"), "Strit do trójki");
    equal(name("straight", "Ah Kc Qd"), "Strit do asa");
    equal(name("full_house", "2h 2s 2c 7d 7c"), "Ful: dwójki na siódemkach");
    equal(name("two_pair", "Ad As 7d 7c Kh"), "Dwie pary: asy i siódemki");
    equal(name("straight_flush", "9h 8h 7h"), "Poker do dziewiątki");
  },
  "every class of hand has its words in both languages, made from the ranks that name it"() {
    const [en, pl] = [translator("en"), translator("pl")];
    const rows = [
      ["high_card", "KJ942", "High card king, jack nine four deuce kickers", "Król, kickery walet, dziewiątka, czwórka, dwójka"],
      ["high_card", "94", "High card nine, four kicker", "Do dziewiątki, kicker czwórka"],
      ["pair", "6AT2", "Pair of sixes, ace ten deuce kickers", "Para szóstek, kickery as, dziesiątka, dwójka"],
      ["two_pair", "A53", "Two pair, aces and fives, three kicker", "Dwie pary: asy i piątki, kicker trójka"],
      ["three_of_a_kind", "9K2", "Three of a kind, nines, king deuce kickers", "Trójka dziewiątek, kickery król, dwójka"],
      ["straight", "5", "Straight, five high", "Strit do piątki"],
      ["flush", "AKT82", "Flush, ace king ten eight deuce", "Kolor: as, król, dziesiątka, ósemka, dwójka"],
      ["full_house", "3Q", "Full house, threes full of queens", "Ful: trójki na damach"],
      ["four_of_a_kind", "8J", "Four of a kind, eights, jack kicker", "Kareta ósemek, kicker walet"],
      ["straight_flush", "9", "Straight flush, nine high", "Poker do dziewiątki"],
      ["straight_flush", "A", "Royal flush", "Poker do asa"],
      ["five_of_a_kind", "A", "Five of a kind, aces", "Piątka asów"],
      ["royal_flush", "A", "Royal flush", "Poker królewski"],
      ["mini_royal", "A", "Mini royal", "Mały poker królewski"],
      ["low", "8642A", "Low 8-6-4-2-A", "Low 8-6-4-2-A"],
      ["badugi", "84A", "Badugi 8-4-A", "Badugi 8-4-A"],
      ["three_card", "73A", "Three cards, 7-3-A", "Trzy karty: 7-3-A"],
      ["two_card", "32", "Two cards, 3-2", "Dwie karty: 3-2"],
      ["one_card", "A", "One card, A", "Jedna karta: A"],
    ];
    for (const [hand, ranks, english, polish] of rows) {
      equal([handName({ class: hand, ranks, words: "?" }, en), handName({ class: hand, ranks, words: "?" }, pl)], [english, polish]);
    }
    equal(HAND_CLASSES.filter((hand) => !rows.some(([told]) => told === hand)), []);
  },
  "so has every hand of poker dice, called or held"() {
    const [en, pl] = [translator("en"), translator("pl")];
    const rows = [
      ["high_die", [6], "High die, six", "Wysoka kość: szóstka"],
      ["pair", [6], "Pair of sixes", "Para szóstek"],
      ["two_pair", [5, 1], "Two pair, fives and ones", "Dwie pary: piątki i jedynki"],
      ["three_of_a_kind", [2], "Three of a kind, twos", "Trójka dwójek"],
      ["low_straight", [], "Low straight", "Mały strit"],
      ["high_straight", [], "High straight", "Duży strit"],
      ["full_house", [3, 2], "Full house, threes over twos", "Ful: trójki na dwójkach"],
      ["four_of_a_kind", [4], "Four of a kind, fours", "Kareta czwórek"],
      ["five_of_a_kind", [1], "Five of a kind, ones", "Piątka jedynek"],
    ];
    for (const [hand, faces, english, polish] of rows) {
      equal([diceName({ class: hand, faces, words: "?" }, en), diceName({ class: hand, faces, words: "?" }, pl)], [english, polish]);
    }
    equal(DICE_CLASSES.filter((hand) => !rows.some(([told]) => told === hand)), []);
    equal(diceName({ class: "full_house", held: [2, 3, 2, 3, 3] }, en), "Full house, threes over twos");
  },
  "a joker is named by what it stands for"() {
    const shown = { class: "two_pair", ranks: "A53", words: "?", cards: ["Jk", "Ad", "5c", "5h", "3s"] };
    equal(handName(shown, translator("pl")), "Dwie pary: asy i piątki, kicker trójka");
    equal(handBrief(shown, translator("pl")), "Dwie pary: asy i piątki");
    equal(handBrief({ class: "flush", ranks: "KT853" }, translator("pl")), "Kolor do króla");
  },
  "the server's words stand where there are none of ours"() {
    equal(handName({ class: "new_class", ranks: "7", words: "Something new" }, translator("pl")), "Something new");
    ok(handName({ class: "pair", words: "Pair of tens", cards: ["Th", "Ts", "3d"] }, translator("en")) === "Pair of tens", "English is the server's");
  },
};
