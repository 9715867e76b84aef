"""How often a process looks for cycles of objects that nobody holds any more."""

import gc

RARELY = 20_000


def seldom_sought(more: int = RARELY) -> None:
    """To be called once all is loaded: what is there stays, and is not looked at again.

    Work leaves next to no cycles behind: looked for as often as usual they cost up to a sixth of
    all, and a look at all that is loaded holds up the hand that it falls into.
    more: how many more objects there must be than before until cycles are looked for.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(more)
