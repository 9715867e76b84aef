"""The public page of voids: counts, and whether anybody gains by them."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_GET

from tables import voids

SUSPICIOUS = 0.001

WORDS = {
    "en": {
        "title": "What came to nothing",
        "lead": "Hands that are void and seeds that are withheld could serve to throw cards away "
        "that somebody does not like. So everything is counted, and compared with chance.",
        "what": "What", "count": "How many",
        "settled": "Hands settled", "voided": "Hands voided", "dealt": "Cuts dealt",
        "void": "Cuts void", "reason": "of these: {reason}", "withheld": "Seeds withheld",
        "question": "Does it go anybody's way?", "won": "Better", "lost": "Worse",
        "others": "Compared with", "chance": "Chance alone",
        "redealt_rounds": "The bank, in rounds dealt anew after a withheld seed, beside all others",
        "withholders": "Players who withheld a seed, beside all others",
        "voided_rounds": "The dealer's cards in voided rounds, beside an even half",
        "too_few": "too few to say", "odd": "hardly chance", "fine": "as chance allows",
        "proof": "Check a hand's cards", "other": "Polski", "other_code": "pl",
    },
    "pl": {
        "title": "Co poszło na marne",
        "lead": "Unieważniane rozdania i zatajane ziarna mogłyby służyć do pozbywania się kart, "
        "które komuś się nie podobają. Dlatego wszystko liczymy i porównujemy z przypadkiem.",
        "what": "Co", "count": "Ile",
        "settled": "Rozdania rozliczone", "voided": "Rozdania unieważnione",
        "dealt": "Przełożenia rozdane", "void": "Przełożenia nieważne",
        "reason": "w tym: {reason}", "withheld": "Ziarna zatajone",
        "question": "Czy ktoś na tym zyskuje?", "won": "Lepiej", "lost": "Gorzej",
        "others": "W porównaniu z", "chance": "Sam przypadek",
        "redealt_rounds": "Bank w rozdaniach powtórzonych po zatajeniu ziarna, wobec pozostałych",
        "withholders": "Gracze, którzy zataili ziarno, wobec pozostałych",
        "voided_rounds": "Karty krupiera w unieważnionych rozdaniach, wobec równej połowy",
        "too_few": "za mało, by ocenić", "odd": "to raczej nie przypadek",
        "fine": "w granicach przypadku",
        "proof": "Sprawdź karty rozdania", "other": "English", "other_code": "en",
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
        "questions": [{**one, "words": words[one["name"]], "verdict": verdict(one["p"], words)}
                      for one in found["questions"]],
    }  # fmt: skip
    return render(request, "tables/voids.html", context)


def counts(found: dict[str, Any], words: dict[str, str]) -> list[tuple[str, int]]:
    """Lines of the first table: what, and how many."""
    lines = [
        (words["settled"], found["hands"].get("settled", 0)),
        (words["voided"], found["hands"].get("voided", 0)),
        (words["dealt"], found["cuts"].get("dealt", 0)),
        (words["void"], found["cuts"].get("void", 0)),
    ]
    for reason, count in sorted(found["void_cuts"].items()):
        lines.append((words["reason"].format(reason=reason.replace("_", " ")), count))
    return [*lines, (words["withheld"], found["withheld_seeds"])]


def verdict(p: float | None, words: dict[str, str]) -> str:
    if p is None:
        return words["too_few"]
    return f"{words['odd'] if p < SUSPICIOUS else words['fine']} (p = {p:.3g})"
