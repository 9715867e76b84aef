import hashlib
import re

from tests.web.stage import ROOT

VENDOR = "tables/web/static/vendor"
ROW = re.compile(rf"^\| `({VENDOR}/[^`]+)` \|.*\| `([0-9a-f]{{64}})` \|$", re.MULTILINE)


def listed() -> dict[str, str]:
    text = (ROOT / "docs" / "dependencies.md").read_text()
    return dict(ROW.findall(text))


def test_every_vendored_script_is_the_one_the_list_names() -> None:
    found = {
        str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (ROOT / VENDOR).glob("*.js")
    }
    assert found
    assert found == listed()


def test_every_vendored_script_has_its_licence_beside_it() -> None:
    for path in listed():
        text = (ROOT / path).with_suffix(".LICENSE.txt").read_text()
        assert "Apache License" in text
        assert "MIT License" in text
