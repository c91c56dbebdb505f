"""What rule books have worked out, such as ways over a field, is kept for one match, not for ever."""

import sys
from functools import _lru_cache_wrapper
from typing import Final

_FEW: Final = 16
"""What has no more answers than this is the same in every match, such as all bases of an empty field."""


def forget_answers() -> int:
    """Let go of all that the rule books have worked out, and say how many answers that were.

    Nothing but time is lost. Each store has its bound; together they would fill for days."""
    found: dict[int, _lru_cache_wrapper[object]] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "engine":
            stores = (one for one in vars(module).values() if isinstance(one, _lru_cache_wrapper))
            found |= {id(one): one for one in stores}
    gone = 0
    for store in found.values():
        held = store.cache_info()
        if held.maxsize is None or held.maxsize > _FEW:
            gone += held.currsize
            store.cache_clear()
    return gone
