"""Which front end this server hands out: pages of another one load it anew when they may."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings


@cache
def build() -> str:
    """A short digest of every file of the front end, collected or as it stands in the source."""
    collected = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if collected.exists():
        return sha256(collected.read_bytes()).hexdigest()[:12]
    digest = sha256()
    for folder in settings.STATICFILES_DIRS:
        for file in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
            digest.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]
