"""Everything that can stop a run, as one tree. Facts about a judge are data (`Missing`), not exceptions.

BiasscopeError
├── UsageError                 a word, file or setting of the user (exit 2)
│   ├── ConfigError            a config file or option that cannot be read
│   └── DataError              a data file that cannot be read; names file and line
├── RunError                   the run cannot go on (exit 1); finished replies are kept
│   ├── RunMismatch            the folder holds a run with another identity
│   ├── RunLocked              another process writes to the folder
│   ├── CapReached             the call cap stopped the run
│   └── ModelChanged           the endpoint now serves another model than before
├── ProviderError              a model endpoint (exit 1)
│   ├── Unreachable            nothing answers, or it answers too late       retryable
│   ├── RateLimited            asked to slow down                            retryable
│   ├── ServerFault            5xx or a malformed success body               retryable
│   ├── AuthenticationFailed   401 or 403
│   ├── ModelNotFound          the endpoint does not know the model
│   ├── BadRequest             any other refusal of the request
│   └── ProgramFailed          a judge that is a program does not work, or not as a judge
├── WeightsError               local weights that are absent, cannot be had or are damaged
└── MissingExtra               an optional dependency that is not installed
"""

from __future__ import annotations

from typing import ClassVar


class BiasscopeError(Exception):
    """The root: one line for the user and a hint about what to do next."""

    retryable: ClassVar[bool] = False
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint or self.default_hint

    default_hint: ClassVar[str] = ""


class UsageError(BiasscopeError):
    """A word, file or setting of the user cannot be used."""

    exit_code = 2


class ConfigError(UsageError):
    """A config file or option cannot be read."""

    default_hint = "Correct the file or the option; the config.json of any run folder shows every setting."


class DataError(UsageError):
    """A data file cannot be read; the message names the file and the line or row."""


class RunError(BiasscopeError):
    """The run cannot go on; finished replies are kept."""


class RunMismatch(RunError):
    """The run folder was started with another identity."""


class RunLocked(RunError):
    """Another process is writing to the run folder."""

    default_hint = "Wait for the other process, or use another folder."


class CapReached(RunError):
    """The cap on paid calls was reached; everything answered so far is kept."""


class ModelChanged(RunError):
    """An endpoint reports another model than at the start of the run."""


class ProviderError(BiasscopeError):
    """A model endpoint failed. `status` is the HTTP status and `retry_after` the seconds it asked to wait."""

    def __init__(
        self, message: str, *, hint: str = "", status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.retry_after = retry_after


class Unreachable(ProviderError):
    """Nothing answers at the endpoint, or it answers too late."""

    retryable = True
    default_hint = "Check the URL and that the server runs; run the same command again to continue."


class RateLimited(ProviderError):
    """The provider asked to slow down."""

    retryable = True
    default_hint = "Lower --max-in-flight; finished replies are kept and the same command continues."


class ServerFault(ProviderError):
    """The provider failed, or sent a success that cannot be read."""

    retryable = True
    default_hint = "Run the same command again to continue; finished replies are kept."


class AuthenticationFailed(ProviderError):
    """The provider refused the key."""

    default_hint = "Set OPENAI_API_KEY (or the key variable named for this endpoint) to a valid key."


class ModelNotFound(ProviderError):
    """The endpoint does not know the model."""


class BadRequest(ProviderError):
    """The provider refused the request itself."""


class ProgramFailed(ProviderError):
    """A judge that is a program does not work, or is not one that can be asked this."""

    default_hint = "Correct the program and run the same command again: what it answered so far is kept."


class WeightsError(BiasscopeError):
    """Local weights are absent, cannot be had, or are damaged."""


class MissingExtra(BiasscopeError):
    """An optional dependency is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs the extra {extra!r}, which is not installed", hint=f"pip install 'biasscope[{extra}]'"
        )
