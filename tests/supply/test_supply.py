"""What is installed is what was locked, file by file; and under which licence it is, is told."""

from __future__ import annotations

import json
import re
from importlib.metadata import distributions

import pytest

from tests.supply import audit, licences, sbom, secret_scan
from tests.supply.pins import ROOT, SETS, direct, locked, plain

# An interpreter's own, or an editor's; nothing of the house imports them.
OF_THE_INTERPRETER = {"pip", "setuptools", "wheel"}
# Licences under which a house may be run and passed on as it is. Weak copyleft is used unchanged.
FREE = re.compile(
    r"MIT|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|Zlib|CC0|HPND|MPL|Mozilla|OFL|LGPL|"
    r"Unlicense|DFSG"
)
STRONG = re.compile(r"(?<!L)GPL|Affero|SSPL|Commons Clause|[Pp]roprietary")


@pytest.mark.parametrize("file", SETS)
def test_every_package_is_pinned_and_every_file_of_it_hashed(file: str) -> None:
    pins = locked(file)
    assert len(pins) > 50
    assert {name for name, pin in pins.items() if not pin.hashes} == set()


@pytest.mark.parametrize("file", SETS)
def test_the_lock_holds_what_was_pinned_by_hand(file: str) -> None:
    pins = locked(file)
    named = direct(file)
    assert named
    assert {name: pins[name].version for name in named} == named


def test_what_checking_needs_runs_beside_the_same_versions_of_what_a_house_needs() -> None:
    house, dev = locked(SETS[0]), locked(SETS[1])
    assert {name: dev[name].version for name in house} == {
        name: pin.version for name, pin in house.items()
    }


def test_what_is_installed_was_locked() -> None:
    known = {name: pin.version for file in reversed(SETS) for name, pin in locked(file).items()}
    here = {plain(found.metadata["Name"]): found.version for found in distributions()}
    strange = {
        name: version
        for name, version in here.items()
        if name not in OF_THE_INTERPRETER and known.get(name) != version
    }
    assert strange == {}


def test_set_up_takes_nothing_whose_hash_is_not_known() -> None:
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    installing = re.findall(r"-m pip install(?:.*\\\n)*.*", make)
    assert installing
    assert all("--require-hashes" in line for line in installing)


def test_every_dependency_says_why_it_is_there_and_no_other_does() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    tables = page.split("## Vendored")[0]
    told = {
        plain(name.partition("[")[0].strip())
        for row in re.findall(r"^\| (?!Package|---)([^|]+) \|", tables, re.MULTILINE)
        for name in row.split(",")
    }
    assert told == {name for file in SETS for name in direct(file)}


def test_licences_are_listed_as_the_packages_say_them() -> None:
    assert (ROOT / "docs" / "licences.md").read_text(encoding="utf-8") == licences.page()


def test_nothing_a_house_runs_on_forbids_running_it() -> None:
    told = licences.rows(locked("requirements.txt"))
    assert len(told) > 50
    wrong = [row for row in told if STRONG.search(row[2]) or not FREE.search(row[2])]
    assert wrong == []


def test_the_bill_of_materials_names_every_package_and_every_vendored_file() -> None:
    told = json.loads(sbom.bill())
    parts = {part["bom-ref"]: part for part in told["components"]}
    for pin in locked("requirements.txt").values():
        assert parts[f"pkg:pypi/{pin.name}@{pin.version}"]["version"] == pin.version
    files = [part for part in parts.values() if part["type"] == "file"]
    assert {part["name"] for part in files} == {
        str(path.relative_to(ROOT)) for path in (ROOT / "tables/web/static/vendor").glob("*.js")
    }
    assert all(part["hashes"][0]["alg"] == "SHA-256" for part in files)
    assert sbom.bill() == sbom.bill()


WEAK = [{"id": "X-1", "fix_versions": ["2"]}]


@pytest.mark.parametrize(
    ("packages", "code", "words"),
    [
        ([], 0, "NOTHING was audited"),
        ([{"name": "a", "skip_reason": "not found"}], 0, "NOTHING was audited"),
        ([{"name": "a", "version": "1", "vulns": []}], 0, "1 packages asked about, no known"),
        ([{"name": "a", "version": "1", "vulns": []}, {"name": "b", "skip_reason": "no"}], 0,
         "1 could NOT be asked about"),
        ([{"name": "a", "version": "1", "vulns": WEAK}, {"name": "b", "skip_reason": "no"}], 1,
         "a 1: X-1, mended in 2"),
    ],
)  # fmt: skip
def test_the_audit_says_what_it_knows_and_what_it_does_not(packages, code, words) -> None:
    verdict = audit.judge(json.dumps({"dependencies": packages}), must_reach=False)
    assert verdict.code == code
    assert words in verdict.words


def test_an_audit_that_must_reach_fails_where_it_cannot() -> None:
    assert audit.judge("", must_reach=True).code == 2


# Put together here, so that this file holds none.
SECRETS = {
    "private key": "-----BEGIN " + "PRIVATE KEY-----",
    "token of the house": "ck_" + "aB3" * 14 + "x",
    "webhook secret": "whsec_" + "aB3d" * 11,
    "AWS key": "AKIA" + "Q" * 16,
    "GitHub token": "ghp_" + "a" * 36,
    "GitLab token": "glpat-" + "a" * 20,
    "Slack token": "xoxb-" + "1" * 12,
    "Stripe key": "sk_live_" + "a" * 24,
    "index token": "pypi-AgEI" + "a" * 50,
    "JSON web token": ".".join(["eyJ" + "a" * 20, "eyJ" + "b" * 20, "c" * 20]),
    "password in an address": "postgresql://app:" + "hunter2@db/croupier",
    "key of the house": "CARD_KEYS=one:" + "xY9" * 14 + "=",
}


@pytest.mark.parametrize("kind", secret_scan.KINDS)
def test_each_kind_of_secret_is_found(kind: str) -> None:
    assert list(secret_scan.found_in(f"one\n{SECRETS[kind]}\n")) == [(2, kind)]


def test_no_secret_is_written_into_the_tree() -> None:
    names = secret_scan.tracked()
    assert len(names) > 500
    assert secret_scan.scan(names) == []
