"""biasscope: discover, measure and mitigate the biases of LLM judges.

    import biasscope

    result = biasscope.measure("planted:fair", data="objective:60?seed=1", biases=["authority", "length"])
    result.effects

`measure`, `discover` and `audit` are the commands of the same names; `load` reads a run back. The package itself loads
nothing: numpy and the rest come with the first of these names that is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_PLACES = {
    "AuditResult": "biasscope.api.result",
    "BiasscopeError": "biasscope.errors",
    "DiscoverResult": "biasscope.api.result",
    "MeasureResult": "biasscope.api.result",
    "Named": "biasscope.api.given",
    "audit": "biasscope.api.plain",
    "discover": "biasscope.api.plain",
    "load": "biasscope.api.plain",
    "measure": "biasscope.api.plain",
}
"""Where each name of the package is."""

__all__ = [
    "AuditResult",
    "BiasscopeError",
    "DiscoverResult",
    "MeasureResult",
    "Named",
    "__version__",
    "audit",
    "discover",
    "load",
    "measure",
]

if TYPE_CHECKING:
    from biasscope.api.given import Named
    from biasscope.api.plain import audit, discover, load, measure
    from biasscope.api.result import AuditResult, DiscoverResult, MeasureResult
    from biasscope.errors import BiasscopeError
else:
    # Not seen by type checkers, to whom any name would be one of the package's.
    def __getattr__(name: str) -> object:
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found = getattr(import_module(_PLACES[name]), name)
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
