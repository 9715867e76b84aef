// What happens at a table, in sentences: for the list beside the table and for a screen reader.

import { diceName, handName } from "../i18n.js";
import { groups } from "../money.js";
import { timesWords } from "../more_words.js";
import { cardText as shortCard, playerName } from "../parts.js";

export const shortCards = (codes) => codes.map(shortCard).join(" ");

const DEEDS = {
  folded: "fold", checked: "check", called: "call", bet: "bet", raised: "raise", completed: "complete", brought_in: "bring_in",
  ante_posted: "ante", discarded: "discard", pass_chosen: "pass", declared: "declare", spit_called: "spit",
};
const PAYS = new Set(["called", "ante_posted", "blind_posted", "brought_in"]);

export function streetWords(street, t) {
  if (t.has(`street_${street}`)) return t(`street_${street}`);
  const [, name, number] = /^(\D+?)_?(\d*)$/.exec(street) ?? [null, street, ""];
  const words = t.has(`street_${name}`) ? t(`street_${name}`) : name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
  return [words, number].filter(Boolean).join(" ");
}

export const wagerName = (name, t) => (t.has(`wager_${name}`) ? t(`wager_${name}`) : name.replaceAll("_", " "));

const shownWords = (event, t) => [event.high ?? (event.words ? event : null), event.low].filter(Boolean).map((one) => handName(one, t)).join(" · ");

/**
 * Lines of one event: {words, street?}. told: {t, amount, mine, nameOf(seat)}; mine is the seat the
 * reader holds in this hand.
 */
export function lines({ type, public: facts, private: own }, told) {
  const { t, amount, mine, nameOf } = told;
  const who = facts.seat === mine && mine ? t("you") : nameOf(facts.seat);
  const deed = (name, figure) => {
    const isMe = facts.seat === mine && t.has(`me_${name}`);
    const verb = isMe ? t(`me_${name}`, facts) : `${who} ${t.has(`did_${name}`) ? t(`did_${name}`, facts) : name}`;
    return [{ words: [verb, figure, facts.all_in && `· ${t("all_in")}`, facts.default && `(${t("log_default")})`].filter(Boolean).join(" ") }];
  };
  if (type in DEEDS) return deed(DEEDS[type], facts.to_minor ?? facts.amount_minor ? amount(PAYS.has(type) ? facts.amount_minor : facts.to_minor ?? facts.amount_minor) : "");
  const line = (words) => [{ words }];
  // "He does not show" is another sentence when he is the reader.
  const say = (key, more = {}) => line(facts.seat === mine && mine && t.has(`${key}_me`) ? t(`${key}_me`, more) : t(key, { who, ...more }));
  switch (type) {
    case "hand_opened":
      return [{ street: true, words: t("log_hand", { n: groups(String(facts.number), t.language) }) }];
    case "misdeal_ruled":
      return [{ strong: true, words: t(`misdeal_${facts.verdict}`) }];
    case "hand_reversed":
      return [{ strong: true, words: t("hand_reversed", { n: facts.number }) }];
    case "clock_started":
      return line(`${who}: ${t(`clock_${facts.clock}`)}`);
    case "button_drawn":
      return line(t("button_drawn", { seat: facts.button, card: shortCard(facts.cards[facts.button]) }));
    case "blind_posted": {
      const kind = t.has(`blind_${facts.kind}`) ? t(`blind_${facts.kind}`) : facts.kind;
      return line(`${facts.seat === mine ? t("me_blind") : `${who} ${t("log_posts")}`} ${amount(facts.amount_minor)} (${kind})`);
    }
    case "cards_dealt": {
      const dealt = own?.cards?.length ? line(t("log_dealt", { cards: shortCards(own.cards) })) : [];
      const ups = Object.entries(facts.up ?? {}).filter(([, cards]) => cards.length).map(([seat, cards]) => ({ words: t("log_shows", { who: nameOf(Number(seat)), cards: shortCards(cards) }) }));
      return [{ street: true, words: facts.street === "deal" ? t("cards_come") : streetWords(facts.street, t) }, ...dealt, ...ups];
    }
    case "board_dealt":
      return [{ street: true, words: [facts.board_no && t("board_n", { n: facts.board_no }), streetWords(facts.street, t), shortCards(facts.cards)].filter(Boolean).join(" · ") }];
    case "run_answered":
      return line(t("log_run", { who, times: timesWords(facts.choice, t) }));
    case "runs_agreed":
      return [{ street: true, words: t(facts.runs > 1 ? "runs_agreed" : "runs_once", { times: timesWords(facts.runs, t) }) }];
    case "street_opened":
      return [{ street: true, words: streetWords(facts.street, t) }];
    case "cards_rolled":
      return Object.entries(facts.up).map(([seat, cards]) => ({ words: t("log_shows", { who: nameOf(Number(seat)), cards: shortCards(cards) }) }));
    case "draw_announced":
      return deed(facts.count ? "draw" : "stand_pat", "");
    case "cards_drawn":
      return own?.cards?.length ? line(t("log_drawn", { cards: shortCards(own.cards) })) : [];
    case "card_offered":
      return line(t("log_shows", { who, cards: shortCard(facts.card) }));
    case "uncalled_returned":
      return line(t("log_returned", { who, amount: amount(facts.amount_minor) }));
    case "declarations_shown":
      return Object.entries(facts.declarations).map(([seat, side]) => ({ words: `${nameOf(Number(seat))} ${t("declares", { side: t.has(`side_${side}`) ? t(`side_${side}`) : side })}` }));
    case "hand_shown":
      return line(t("log_shows", { who, cards: [shortCards(facts.cards), shownWords(facts, t)].filter(Boolean).join(" – ") }));
    case "specials_changed": {
      const said = [facts.bomb_pot && t("log_bomb_next"), facts.kills ? t("log_kills", { who: nameOf(facts.kills) }) : facts.leg && t("log_leg", { who: nameOf(facts.leg) })];
      return said.filter(Boolean).map((words) => ({ words }));
    }
    case "cards_shown":
      return line(t("log_shows", { who, cards: shortCards(facts.cards) }));
    case "rabbit_shown":
      return line(t("log_rabbit", { cards: facts.boards.map(shortCards).join(" / ") }));
    case "hand_mucked":
      return say("log_mucks");
    case "pot_awarded":
      return Object.entries(facts.winners).map(([seat, minor]) => {
        const won = { who: nameOf(Number(seat)), amount: amount(minor) };
        const side = ["high", "low"].includes(facts.share) ? t(facts.share) : "";
        const board = facts.board_no && t("board_n", { n: facts.board_no });
        return { strong: true, words: [t(Number(seat) === mine ? "log_you_win" : "log_wins", won), side && `(${side})`, board && `· ${board}`].filter(Boolean).join(" ") };
      });
    case "pot_carried":
      return line(t("log_carried", { amount: amount(facts.amount_minor) }));
    case "choice_opened":
      return [{ street: true, words: t("choice_names", { name: who }) }];
    case "game_named":
      return say("log_named", { game: facts.game.name });
    case "game_accepted":
      return say("log_plays_game");
    case "game_declined":
      return say("log_sits_out");
    case "game_dropped":
      return line(t("log_dropped"));
    case "hand_voided":
      return [{ strong: true, words: t("log_void") }];
    case "bet_placed":
      return line(t("log_places", { who, wagers: Object.entries(facts.wagers).filter(([, minor]) => minor > 0).map(([name, minor]) => `${wagerName(name, t)} ${amount(minor)}`).join(", ") }));
    case "bet_cleared":
      return say("log_took_back");
    case "no_more_bets":
      return [{ street: true, words: t("no_more_bets") }];
    case "decided":
      return say(facts.name === "play" ? "log_plays" : "log_folds");
    case "dealer_revealed":
      return line(t("log_dealer", { cards: `${shortCards(facts.cards)} – ${handName(facts, t)}, ${t(facts.qualifies ? "qualifies" : "not_qualifies").toLowerCase()}` }));
    case "dealer_not_needed":
      return line(t("dealer_not_needed"));
    case "spot_settled": {
      const me = facts.seat === mine;
      const sum = { who, amount: amount(Math.abs(facts.net_minor)) };
      if (facts.net_minor === 0) return line(t("log_push", sum));
      return [{ strong: me, words: t(facts.net_minor > 0 ? (me ? "log_you_win" : "log_wins") : me ? "log_you_lose" : "log_loses", sum) }];
    }
    case "dice_rolled":
      return [{ street: !facts.seat, words: facts.seat ? `${who}: ${t("log_dice").toLowerCase()}` : t("log_dice") }, ...(own?.dice ? line(t("log_your_dice", { dice: own.dice.join(" ") })) : [])];
    case "bid_made":
      return line(t("log_bid", { who, quantity: facts.quantity, face: t(`die_${facts.face}`) }));
    case "hand_called":
      return line(t("log_says", { who, words: diceName(facts, t) }));
    case "dice_passed":
      return say("log_takes");
    case "challenged":
      return say("log_challenges");
    case "dice_shown":
      return Object.entries(facts.dice).map(([seat, dice]) => ({ words: t("log_shows", { who: nameOf(Number(seat)), cards: [dice].flat().join(" ") }) }));
    case "challenge_settled":
      return [{ strong: true, words: t(facts.truth ? "bid_true" : "bid_false") }];
    case "die_lost":
    case "life_lost":
      return say("log_die_lost", { n: facts.left });
    case "seat_out":
      return say("log_out");
    default:
      return [];
  }
}

export const nameIn = (seats) => (seat) => {
  const one = seats.find((found) => found.seat <= seat && seat < found.seat + (found.spots ?? 1));
  if (!one) return `#${seat}`;
  return (one.spots ?? 1) > 1 ? `${playerName(one.player)} (${seat})` : playerName(one.player) || `#${seat}`;
};
