"""The bill of materials of a house: what runs in it, in which version, under which licence.

    python -m tests.supply.sbom [FILE]      CycloneDX 1.6, var/sbom.cdx.json unless told otherwise

The same pins give the same bytes: it has no time of its making.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tomllib
from pathlib import Path
from uuid import UUID

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from tests.supply.licences import licence
from tests.supply.pins import ROOT, locked

VENDORED = re.compile(
    r"^\| `(tables/web/static/vendor/[^`]+)` \| ([^|]+) \|.*\| `([0-9a-f]{64})` \|$", re.MULTILINE
)


def packages() -> list[Component]:
    made = []
    for pin in locked("requirements.txt").values():
        said = licence(pin.name)
        address = PackageURL("pypi", name=pin.name, version=pin.version)
        made.append(Component(
            name=pin.name, version=pin.version, purl=address, bom_ref=str(address),
            licenses=[LicenseFactory().make_from_string(said)] if said else [],
        ))  # fmt: skip
    return made


def vendored() -> list[Component]:
    listed = VENDORED.findall((ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8"))
    return [
        Component(
            type=ComponentType.FILE, name=path, description=words.strip(), bom_ref=path,
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        )
        for path, words, digest in listed
    ]  # fmt: skip


def bill() -> str:
    """The document as JSON; ValueError if it does not follow its schema."""
    parts = packages() + vendored()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bom = Bom(components=parts)
    bom.metadata.component = house = Component(
        type=ComponentType.APPLICATION, name=project["name"], version=project["version"],
        description=project["description"], bom_ref=project["name"],
    )  # fmt: skip
    bom.register_dependency(house, parts)
    known = "\n".join(sorted(f"{part.bom_ref.value} {part.version}" for part in parts))
    bom.serial_number = UUID(bytes=hashlib.sha256(known.encode()).digest()[:16], version=5)
    bom.metadata.timestamp = None  # type: ignore[assignment]
    text = JsonV1Dot6(bom).output_as_string(indent=1)
    if (fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)) is not None:
        raise ValueError(f"not CycloneDX 1.6: {fault}")
    return text + "\n"


def main() -> None:
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "var" / "sbom.cdx.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(bill(), encoding="utf-8")
    print(f"sbom: {len(packages())} packages, {len(vendored())} vendored files in {file}")


if __name__ == "__main__":
    main()
