"""The public page of voids: counts, and whether anybody gains by them."""

from collections import Counter
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_GET

from tables import voids

SUSPICIOUS = 0.001

WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "title": "What came to nothing",
        "lead": "Hands that are void and seeds that are withheld could serve to throw cards away "
        "that somebody does not like. So everything is counted, and compared with chance.",
        "what": "What", "count": "How many",
        "settled": "Hands settled", "voided": "Hands voided", "dealt": "Cuts dealt",
        "void": "Cuts void", "withheld": "Seeds withheld",
        "because": {
            "withheld": "because a seed was withheld",
            "game_changed": "because another game was next",
            "hand_voided": "because the hand was voided",
            "table_closed": "because the table was closed",
            "replaced": "for the cards of a sandbox",
            "": "because the deal was at fault",
        },
        "question": "Does it go anybody's way?", "won": "Better", "lost": "Worse",
        "others": "Others", "chance": "Chance alone",
        "redealt_rounds": "The bank, in rounds dealt anew after a withheld seed, beside all others",
        "withholders": "Players who withheld a seed, beside all others",
        "voided_rounds": "The dealer's cards in voided rounds, beside an even half",
        "too_few": "too few to say", "odd": "hardly chance", "fine": "as chance allows",
        "proof": "Check a hand's cards", "other": "Polski", "other_code": "pl",
        "thousands": ",", "point": ".",
    },
    "pl": {
        "title": "Co poszło na marne",
        "lead": "Unieważniane rozdania i zatajane ziarna mogłyby służyć do pozbywania się kart, "
        "które komuś się nie podobają. Dlatego wszystko liczymy i porównujemy z przypadkiem.",
        "what": "Co", "count": "Ile",
        "settled": "Rozdania rozliczone", "voided": "Rozdania unieważnione",
        "dealt": "Przełożenia rozdane", "void": "Przełożenia nieważne",
        "withheld": "Ziarna zatajone",
        "because": {
            "withheld": "bo zatajono ziarno",
            "game_changed": "bo następna była inna gra",
            "hand_voided": "bo unieważniono rozdanie",
            "table_closed": "bo zamknięto stół",
            "replaced": "dla kart piaskownicy",
            "": "bo błędnie rozdano",
        },
        "question": "Czy ktoś na tym zyskuje?", "won": "Lepiej", "lost": "Gorzej",
        "others": "Inni", "chance": "Sam przypadek",
        "redealt_rounds": "Bank w rozdaniach powtórzonych po zatajeniu ziarna, wobec pozostałych",
        "withholders": "Gracze, którzy zataili ziarno, wobec pozostałych",
        "voided_rounds": "Karty krupiera w unieważnionych rozdaniach, wobec równej połowy",
        "too_few": "za mało, by ocenić", "odd": "to raczej nie przypadek",
        "fine": "w granicach przypadku",
        "proof": "Sprawdź karty rozdania", "other": "English", "other_code": "en",
        "thousands": "\N{NO-BREAK SPACE}", "point": ",",
    },
}  # fmt: skip


@require_GET
def voids_page(request: HttpRequest) -> HttpResponse:
    asked = request.GET.get("lang") or translation.get_language() or "en"
    language = asked[:2] if asked[:2] in WORDS else "en"
    words = WORDS[language]
    found = voids.figures()
    context = {
        "language": language,
        "words": words,
        "counts": counts(found, words),
        "questions": [question(one, words) for one in found["questions"]],
    }
    return render(request, "tables/voids.html", context)


class Line(NamedTuple):
    """What was counted, and how many. is_part: it is among the line above."""

    words: str
    figure: str
    is_part: bool = False


def counts(found: dict[str, Any], words: dict[str, Any]) -> list[Line]:
    """Lines of the first table; faults of a deal of whatever kind are one of them."""
    because: Counter[str] = Counter()
    for reason, count in found["void_cuts"].items():
        because[reason if reason in words["because"] else ""] += count
    return [
        Line(words["settled"], grouped(found["hands"].get("settled", 0), words)),
        Line(words["voided"], grouped(found["hands"].get("voided", 0), words)),
        Line(words["dealt"], grouped(found["cuts"].get("dealt", 0), words)),
        Line(words["void"], grouped(found["cuts"].get("void", 0), words)),
        *(
            Line(said, grouped(because[reason], words), is_part=True)
            for reason, said in words["because"].items()
            if because[reason]
        ),
        Line(words["withheld"], grouped(found["withheld_seeds"], words)),
    ]


def question(one: dict[str, Any], words: dict[str, Any]) -> dict[str, Any]:
    """A line of the second table."""
    figures = ("won", "lost", "others_won", "others_lost")
    return {
        **{name: grouped(one[name], words) for name in figures},
        "words": words[one["name"]],
        **verdict(one["p"], words),
    }


def grouped(count: int, words: dict[str, Any]) -> str:
    return f"{count:,}".replace(",", words["thousands"])


def verdict(p: float | None, words: dict[str, Any]) -> dict[str, str]:
    """What is said of a chance, and the chance itself, if it can be told."""
    if p is None:
        return {"verdict": words["too_few"], "p": ""}
    said = words["odd"] if p < SUSPICIOUS else words["fine"]
    text = f"< {SUSPICIOUS}" if p < SUSPICIOUS else f"= {p:.3f}"
    return {"verdict": said, "p": f"p {text}".replace(".", words["point"])}
