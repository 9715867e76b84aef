"""The stand-alone verifier as a module; it stands among the pages' files, in no package."""

import importlib.util
from pathlib import Path
from types import ModuleType

FILE = Path(__file__).parents[2] / "tables/web/static/tables/verify/verify_hand.py"


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_hand", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verifier = _loaded()
