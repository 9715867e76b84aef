"""Ways to cheat, each on a hand that is honest otherwise, signed anew by the house that cheats.

Every one gives the bundles that a player would be shown; `CHEATS` says what has to be found.
"""

from __future__ import annotations

import copy
from collections.abc import Callable

from tables.engine import fairness
from tests.proof.house import DECK, House, Json, Secret

Cheat = Callable[[House], list[Json]]


def opened_again(house: House, bundle: Json, at: int, slot: int) -> Json:
    """The opening at a place, replaced by another slot's of the same deck, with its true proof."""
    cut = next(one for one in bundle["cuts"] if one["number"] == bundle["openings"][at]["cut"])
    size = sum(map(int, cut["kind"].split("+")))
    position = next(place for place in range(size) if house.opening(cut, place)["slot"] == slot)
    return {**house.opening(cut, position), "position": bundle["openings"][at]["position"]}


def swapped_card(house: House) -> list[Json]:
    """Another card than the committed one is dealt."""
    bundle = house.ring_hand()
    bundle["openings"][2]["card"] = (bundle["openings"][2]["card"] + 1) % 52
    return [bundle]


def card_of_another_slot(house: House) -> list[Json]:
    """A better card of the same deck, with its true proof, is dealt in place of the due one."""
    bundle = house.ring_hand()
    used = {one["slot"] for one in bundle["openings"]}
    free = next(slot for slot in range(52) if slot not in used)
    bundle["openings"][2] = opened_again(house, bundle, 2, free)
    return [bundle]


def another_deck(house: House) -> list[Json]:
    """The house deals the deck it likes best of its four."""
    cut = house.cut(house.decks(4))
    end = cut["end"]
    wished = next(root["number"] for root in cut["roots"] if root["number"] != end["root"])
    end["root"] = wished
    cut["full"] = [house.full(one["number"]) for one in cut["roots"] if one["number"] != wished]
    return [house.bundle([cut], [house.opening(cut, place) for place in range(4)])]


def duplicate_card(house: House) -> list[Json]:
    """Every deck has the ace of spades twice and no deuce of clubs."""
    secrets = house.decks(3)
    for secret in secrets:
        secret.order[secret.order.index(0)] = 51
    return [house.bundle([cut := house.cut(secrets)], [house.opening(cut, 3)])]


def duplicate_card_shown(house: House) -> list[Json]:
    """The only deck of a certified market has a card twice, and both come to the table."""
    (secret,) = house.decks(1)
    secret.order[1] = secret.order[0]
    cut = house.cut([secret], clients=0, mode="certified")
    return [house.bundle([cut], [house.opening(cut, place) for place in range(2)])]


def proof_that_leads_nowhere(house: House) -> list[Json]:
    """A card that never stood in the deck, its proof cut short before it comes to the root."""
    cut = house.cut(house.decks(2))
    openings = [house.opening(cut, place) for place in range(3)]
    openings[2].update(card=(openings[2]["card"] + 1) % 52, proof=openings[2]["proof"][:2])
    return [house.bundle([cut], openings)]


def proof_by_a_false_node(house: House) -> list[Json]:
    """A false opening names the nodes that the next one's short proof ends at."""
    cut = house.cut(house.decks(2))
    first, second = house.opening(cut, 0), house.opening(cut, 1)
    secret, label = house.secrets[second["root"]], f"{house.table}/{second['root']}"
    second["card"] = (second["card"] + 1) % 52
    false = fairness.leaf(label, second["slot"], second["card"], bytes.fromhex(second["salt"]))
    leaves = fairness.leaves_of(label, secret.order, secret.salts)
    leaves[second["slot"]] = false
    shown: set[fairness.Span] = set()
    for one in (first, second):
        proof = fairness.Tree(leaves).proof(one["slot"], shown)
        one["proof"] = [[side, sibling.hex()] for side, sibling in proof]
    return [house.bundle([cut], [first, second])]


def two_cards_in_a_slot(house: House) -> list[Json]:
    """A tree of more leaves than the deck has cards: one slot, two cards to choose from."""
    (secret,) = house.decks(1)
    label = f"{house.table}/{len(house.roots) + 1}"
    leaves = fairness.leaves_of(label, secret.order, secret.salts)
    leaves.append(fairness.leaf(label, 0, secret.order[5], bytes(range(16))))
    cut = house.cut([secret], clients=0, mode="certified")
    opening = house.opening(cut, 0)
    cut["roots"][0]["root"] = fairness.root_of(leaves).hex()
    proof = fairness.proof_of(leaves, 52)
    opening.update(
        card=secret.order[5], salt=bytes(range(16)).hex(),
        proof=[[side, sibling.hex()] for side, sibling in proof],
    )  # fmt: skip
    return [house.bundle([cut], [opening])]


def list_closed_after_openings(house: House) -> list[Json]:
    """The list is made when the seeds have been seen; who opened holds a signed time of that."""
    bundle = house.ring_hand()
    bundle["cuts"][0]["list"]["at"] = bundle["receipts"][0]["opened_at"] + 1
    bundle["cuts"][0]["opened_at"] = [
        bundle["cuts"][0]["list"]["at"] + 1 for _ in bundle["cuts"][0]["seeds"]
    ]
    house.sign(bundle)
    return [bundle]


def seeds_before_their_list(house: House) -> list[Json]:
    bundle = house.ring_hand()
    bundle["cuts"][0]["list"]["at"] = bundle["cuts"][0]["opened_at"][4] + 1
    house.sign(bundle)
    return [bundle]


def receipt_missing_from_the_list(house: House) -> list[Json]:
    """A player's commitment was taken and is left out, as though it had never come."""
    cut = house.cut(house.decks(4), clients=4)
    bundle = house.bundle([cut], [])
    mine = cut["list"]["commitments"].pop(0)
    cut["seeds"].pop(0)
    cut["opened_at"].pop(0)
    house.end(cut)
    bundle["receipts"][0].update(commitment=mine, opened_at=None, opened_signature=None)
    house.sign(bundle)
    return [bundle]


def opened_seed_ignored(house: House) -> list[Json]:
    """A seed that was opened in time is said to have been withheld."""
    cut = house.cut(house.decks(2), clients=3)
    bundle = house.bundle([cut], [])
    cut["seeds"][0] = cut["opened_at"][0] = None
    house.end(cut)
    house.sign(bundle)
    return [bundle]


def redraw_for_a_shill(house: House) -> list[Json]:
    """Three withheld seeds buy three fresh deals; two are the most there may be."""
    cuts = [house.cut(house.decks(2), withheld=(1,), void="withheld") for _ in range(3)]
    cuts.append(house.cut(house.decks(2), withheld=(1,)))
    return [house.bundle(cuts, [])]


def redraw_for_a_shill_in_a_draw(house: House) -> list[Json]:
    """The deal was redrawn twice, and the muck is redrawn once more."""
    cuts = [house.cut(house.decks(2), withheld=(1,), void="withheld") for _ in range(2)]
    cuts.append(house.cut(house.decks(2)))
    dealt = house.secrets[cuts[2]["end"]["root"]]
    muck = sorted(dealt.order[:10])
    for void in ("withheld", ""):
        withheld = (0,) if void else ()
        fresh = [house.secret(muck, 0)]
        cuts.append(house.cut(fresh, cards=muck, purpose="reshuffle", withheld=withheld, void=void))
    return [house.bundle(cuts, [])]


def cut_of_two_hands(house: House) -> list[Json]:
    """Nobody gave a seed, and a deck that was dealt once, and seen, is dealt again."""
    cut = house.cut(house.decks(1), clients=0)
    openings = [house.opening(cut, place) for place in range(2)]
    return [house.bundle([cut], openings), house.bundle([copy.deepcopy(cut)], openings)]


def board_of_the_house(house: House) -> list[Json]:
    """It knows the deck that the seeds have cut, and turns up what it likes further down."""
    bundle = house.dealt_hand()
    (cut,) = bundle["cuts"]
    for nth in range(3):
        seq = bundle["openings"][2 + nth]["seq"]
        bundle["openings"][2 + nth] = {**house.opening(cut, 30 + nth), "seq": seq}
    return [bundle]


def board_passed_over_to(house: House) -> list[Json]:
    """The same, and it says that nine cards were passed over."""
    (bundle,) = board_of_the_house(house)
    bundle["dealt"][1]["first"] = 30
    return [bundle]


def two_burnt(house: House) -> list[Json]:
    bundle = house.dealt_hand()
    (cut,) = bundle["cuts"]
    bundle["dealt"][3]["first"] += 1
    place, seq = bundle["dealt"][3]["first"], bundle["openings"][6]["seq"]
    bundle["openings"][6] = {**house.opening(cut, place), "seq": seq}
    return [bundle]


def hands_changed_about(house: House) -> list[Json]:
    """A player is given the cards that were due to the next seat."""
    bundle = house.dealt_hand(shown=())
    (cut,) = bundle["cuts"]
    seq = bundle["openings"][0]["seq"]
    bundle["openings"][:2] = [{**house.opening(cut, at, "you"), "seq": seq} for at in (2, 12)]
    return [bundle]


def dealt_from_another_seat(house: House) -> list[Json]:
    """The deal begins where it suits the house."""
    bundle = house.dealt_hand()
    to = bundle["dealt"][0]["to"]
    bundle["dealt"][0]["to"] = [to[at - 1] for at in range(len(to))]
    return [bundle]


def second_card_first(house: House) -> list[Json]:
    """Each gets both cards at once, which changes whose is whose."""
    bundle = house.dealt_hand()
    bundle["dealt"][0]["to"].sort()
    return [bundle]


def board_turned_up_later(house: House) -> list[Json]:
    bundle = house.dealt_hand()
    bundle["openings"][6]["seq"] += 5
    return [bundle]


def own_card_without_proof(house: House) -> list[Json]:
    bundle = house.dealt_hand()
    del bundle["openings"][1]
    return [bundle]


def two_stories_of_a_deal(house: House) -> list[Json]:
    """Each of two players is told that the better cards were due to another."""
    bundle = house.dealt_hand()
    other = copy.deepcopy(bundle)
    other["dealt"][0]["to"] = [seat % 10 + 1 for seat in other["dealt"][0]["to"]]
    return [bundle, other]


def hand_without_a_cut(house: House) -> list[Json]:
    """A hand among players is settled, and there were no cards."""
    bundle = house.dealt_hand()
    bundle.update(cuts=[], dealt=[], openings=[], receipts=[])
    return [bundle]


def dealers_cards_first(house: House) -> list[Json]:
    """Against the house the dealer takes the cards before those of the spots."""
    bundle = house.dealt_round()
    to = bundle["dealt"][0]["to"]
    bundle["dealt"][0]["to"] = [*to[9:], *to[:9]]
    return [bundle]


def dice_passed_over(house: House) -> list[Json]:
    bundle = house.dealt_dice()
    bundle["dealt"][2]["first"] += 3
    return [bundle]


def deal_from_a_void_cut(house: House) -> list[Json]:
    bundle = house.dealt_hand()
    bundle["dealt"][2]["cut"] += 1
    return [bundle]


def void_without_a_cause(house: House) -> list[Json]:
    """A deal the house did not like is void, as though a seed were missing."""
    cuts = [house.cut(house.decks(2), void="withheld"), house.cut(house.decks(2))]
    return [house.bundle(cuts, [])]


def dealt_at_once_without_a_seed(house: House) -> list[Json]:
    """A shill opens or not, as it suits the house, and the hand is dealt either way."""
    return [house.bundle([house.cut(house.decks(2), withheld=(1,))], [])]


def roots_chosen_by_seeds(house: House) -> list[Json]:
    """Decks are committed to when the seeds are known; the receipt names those of before."""
    bundle = house.ring_hand()
    cut = bundle["cuts"][0]
    receipt = bundle["receipts"][0]
    for root in cut["roots"]:
        label = f"{house.table}/{root['number']}"
        fresh = house.secrets[root["number"]] = house.secret(DECK, 0)
        root["root"] = fairness.commitment(label, fresh.order, fresh.salts).hex()
    for before, root in zip(cut["roots"], cut["roots"][1:], strict=False):
        root["previous"] = before["root"]
    house.end(cut)
    bundle["openings"] = [house.opening(cut, place) for place in range(3)]
    house.sign(bundle)
    assert receipt["root"] != cut["roots"][-1]["root"]
    return [bundle]


def redrawn_after_an_outage(house: House) -> list[Json]:
    """Seeds are seen, the house falls silent for a moment, and deals anew."""
    cuts = [house.cut(house.decks(2), void="outage"), house.cut(house.decks(2))]
    return [house.bundle(cuts, [])]


def gap_in_roots(house: House) -> list[Json]:
    """Hands of a table, one of which the house would rather not have dealt."""
    return [house.ring_hand(), house.ring_hand(), house.ring_hand()][::2]


def gap_in_a_cut(house: House) -> list[Json]:
    """A fourth deck, numbered and committed, is left out of the cut."""
    cut = house.cut(house.decks(4))
    bundle = house.bundle([cut], [])
    dealt = cut["end"]["root"]
    gone = next(one["number"] for one in cut["roots"][1:3] if one["number"] != dealt)
    cut["roots"] = [one for one in cut["roots"] if one["number"] != gone]
    house.end(cut)
    house.sign(bundle)
    return [bundle]


def reused_salt(house: House) -> list[Json]:
    """A salt that stands at two slots: whoever knows one card can try the other."""
    secrets = house.decks(3)
    for secret in secrets:
        secret.salts[9] = secret.salts[4]
    return [house.bundle([house.cut(secrets)], [])]


def reused_salt_in_another_hand(house: House) -> list[Json]:
    first = house.decks(2)
    hands = []
    for secrets in (first, [Secret(house.secret(DECK, 0).order, one.salts) for one in first]):
        hands.append(house.bundle([house.cut(secrets)], []))
    return hands


def reused_deck(house: House) -> list[Json]:
    """The same root under another number; its cards are known since the hand before."""
    bundle = house.ring_hand()
    bundle["cuts"][0]["roots"][1]["root"] = bundle["cuts"][0]["roots"][0]["root"]
    house.sign(bundle)
    return [bundle]


def edited_seed(house: House) -> list[Json]:
    """The house tries seeds in a player's name till it likes the deal."""
    cut = house.cut(house.decks(4), clients=3)
    cut["seeds"][1] = "5a" * 32
    house.end(cut)
    return [house.bundle([cut], [house.opening(cut, place) for place in range(4)])]


def edited_seed_and_commitment(house: House) -> list[Json]:
    """It puts the fitting commitment on the list as well; the player holds a receipt of his own."""
    cut = house.cut(house.decks(4), clients=3)
    bundle = house.bundle([cut], [])
    cut["seeds"][0] = "5a" * 32
    cut["list"]["commitments"][0] = fairness.seed_commitment(b"\x5a" * 32).hex()
    house.end(cut)
    house.sign(bundle)
    return [bundle]


def forked_roots(house: House) -> list[Json]:
    """Two players are shown different histories under the same numbers."""
    other = House(2, house.table)
    return [house.ring_hand(), {**other.ring_hand(), "viewer": 3}]


def forked_list(house: House) -> list[Json]:
    """Each of two players finds himself on the list he is shown."""
    bundle = house.ring_hand()
    other = copy.deepcopy(bundle)
    cut = other["cuts"][0]
    cut["list"]["commitments"][3] = "cd" * 32
    other["viewer"] = 5
    house.sign(other)
    return [bundle, other]


def forked_end(house: House) -> list[Json]:
    """One is told that the hand was dealt, the other that it is void."""
    cut = house.cut(house.decks(1), clients=2)
    bundle = house.bundle([cut], [], status="voided")
    other = copy.deepcopy(bundle)
    other["cuts"][0]["end"].update(end="void", reason="outage", root=None)
    other["cuts"][0]["full"] = [house.full(cut["roots"][0]["number"])]
    house.sign(other)
    return [bundle, other]


def two_views_two_cards(house: House) -> list[Json]:
    """The same slot is one card to its holder and another to the table, each with a proof."""
    bundle = house.ring_hand()
    other = copy.deepcopy(bundle)
    other["openings"][4]["card"] = (other["openings"][4]["card"] + 1) % 52
    return [bundle, other]


def void_round_without_its_deck(house: House) -> list[Json]:
    """A banked round is voided when the bank would lose, and its deck stays closed."""
    bundle = house.voided_round()
    cut = bundle["cuts"][0]
    cut["full"] = [one for one in cut["full"] if one["number"] != cut["end"]["root"]]
    return [bundle]


def undealt_deck_kept_closed(house: House) -> list[Json]:
    bundle = house.ring_hand()
    bundle["cuts"][0]["full"].pop()
    return [bundle]


def opened_another_deck_in_full(house: House) -> list[Json]:
    """A good deck is shown in place of the bad one that was committed."""
    bundle = house.ring_hand()
    fresh = house.secret(DECK, 0)
    bundle["cuts"][0]["full"][0].update(
        cards=fresh.order, salts=[salt.hex() for salt in fresh.salts]
    )
    return [bundle]


def mucked_deck_opened(house: House) -> list[Json]:
    """What was folded is shown to everybody."""
    bundle = house.ring_hand()
    cut = bundle["cuts"][0]
    cut["full"].append(house.full(cut["end"]["root"]))
    return [bundle]


def repeated_after_a_reshuffle(house: House) -> list[Json]:
    """A card in somebody's hand comes out of the reshuffled muck as well."""
    bundle = house.draw_hand()
    twice = bundle["openings"][0]
    bundle["openings"].append({**twice, "to": "all", "seq": house.seq + 2})
    return [bundle]


def loaded_die(house: House) -> list[Json]:
    bundle = house.dice_hand()
    bundle["openings"][1]["face"] = bundle["openings"][1]["face"] % 6 + 1
    return [bundle]


def stripped_deck(house: House) -> list[Json]:
    """Fifty-two cards, as the kind says, of which one has been in no deck."""
    cards = [*range(51), 52]
    cut = house.cut(house.decks(2, cards), cards=cards)
    return [house.bundle([cut], [])]


def deck_without_an_ace(house: House) -> list[Json]:
    """Fifty-one cards, and the kind that is signed says so."""
    cards = range(51)
    return [house.bundle([house.cut(house.decks(2, cards), cards=cards)], [])]


def signed_by_nobody(house: House) -> list[Json]:
    bundle = house.ring_hand()
    bundle["cuts"][0]["end"]["at"] += 1
    return [bundle]


def hand_without_an_end(house: House) -> list[Json]:
    bundle = house.ring_hand()
    bundle["cuts"][0].update(end=None, full=[])
    bundle["openings"] = []
    return [bundle]


CHEATS: dict[Cheat, tuple[str, str]] = {
    swapped_card: ("openings", "proof_fails"),
    card_of_another_slot: ("cut", "wrong_slot"),
    another_deck: ("joined", "other_deck"),
    duplicate_card: ("decks", "deck_not_complete"),
    duplicate_card_shown: ("cards", "card_twice"),
    proof_that_leads_nowhere: ("openings", "proof_fails"),
    proof_by_a_false_node: ("openings", "proof_fails"),
    two_cards_in_a_slot: ("openings", "proof_of_another_place"),
    list_closed_after_openings: ("lists", "list_after_opening"),
    seeds_before_their_list: ("lists", "opened_before_list"),
    receipt_missing_from_the_list: ("lists", "receipt_not_listed"),
    opened_seed_ignored: ("seeds", "opened_seed_left_out"),
    redraw_for_a_shill: ("ends", "too_many_voids"),
    redraw_for_a_shill_in_a_draw: ("ends", "too_many_voids"),
    cut_of_two_hands: ("table", "two_hands"),
    board_of_the_house: ("order", "never_dealt"),
    board_passed_over_to: ("order", "left_out"),
    two_burnt: ("order", "left_out"),
    hands_changed_about: ("order", "of_another_seat"),
    dealt_from_another_seat: ("order", "out_of_turn"),
    second_card_first: ("order", "out_of_turn"),
    board_turned_up_later: ("order", "shown_at_another_time"),
    own_card_without_proof: ("order", "not_opened"),
    two_stories_of_a_deal: ("table", "two_deals"),
    hand_without_a_cut: ("ends", "not_one_deal"),
    dealers_cards_first: ("order", "out_of_turn"),
    dice_passed_over: ("order", "left_out"),
    deal_from_a_void_cut: ("order", "dealt_from_no_deck"),
    void_without_a_cause: ("ends", "nothing_withheld"),
    dealt_at_once_without_a_seed: ("ends", "dealt_without_a_seed"),
    roots_chosen_by_seeds: ("lists", "receipt_of_other_roots"),
    redrawn_after_an_outage: ("ends", "redrawn"),
    gap_in_roots: ("table", "root_missing"),
    gap_in_a_cut: ("numbering", "root_gap"),
    reused_salt: ("cards", "salt_again"),
    reused_salt_in_another_hand: ("table", "salt_again"),
    reused_deck: ("numbering", "root_again"),
    edited_seed: ("seeds", "seed_not_committed"),
    edited_seed_and_commitment: ("lists", "receipt_not_listed"),
    forked_roots: ("table", "two_roots"),
    forked_list: ("table", "two_lists"),
    forked_end: ("table", "two_ends"),
    two_views_two_cards: ("table", "slot_twice"),
    void_round_without_its_deck: ("decks", "deck_not_opened"),
    undealt_deck_kept_closed: ("decks", "deck_not_opened"),
    opened_another_deck_in_full: ("decks", "deck_is_another"),
    mucked_deck_opened: ("decks", "deck_opened_too_much"),
    repeated_after_a_reshuffle: ("cards", "card_twice"),
    loaded_die: ("dice", "wrong_face"),
    stripped_deck: ("form", "odd_contents"),
    deck_without_an_ace: ("decks", "no_such_deck"),
    signed_by_nobody: ("signatures", "bad_signature"),
    hand_without_an_end: ("ends", "not_ended"),
}
