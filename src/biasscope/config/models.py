"""Which model, and how its endpoint is called. Pure: nothing is opened here."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Strict(BaseModel):
    """A frozen table of settings; a key that is not known is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelSpec(Strict):
    """Which model: a spec such as ``openai:gpt-4o``, ``local:qwen2.5-coder-0.5b`` or ``planted:fair``.

    `url` is the base URL of an OpenAI-compatible server; `label` names the endpoint in keys (the host by
    default), so that a tunnel or another port can keep the identity; `revision` is declared by the user and
    enters the identity.
    """

    spec: str
    url: str | None = None
    label: str | None = None
    revision: str | None = None


class ModelExecution(Strict):
    """How an endpoint is called: none of this enters a key.

    `price` is what a million input and a million output tokens cost, in any currency, for the plan.
    """

    max_in_flight: int | None = Field(default=None, ge=1, le=4096)
    timeout_s: float = Field(default=120.0, gt=0)
    retries: int = Field(default=6, ge=0, le=50)
    key_variable: str = "OPENAI_API_KEY"
    price: tuple[float, float] | None = None


class Execution(Strict):
    """How a run is executed; may change when a run is continued."""

    max_calls: int | None = Field(default=None, ge=0)
    judge: ModelExecution = ModelExecution()
    teacher: ModelExecution = ModelExecution()
    ledger: str | None = None


class MeasureExecution(Strict):
    """How a measurement is executed; `by_judge` holds the settings of single judges, by their spec."""

    max_calls: int | None = Field(default=None, ge=0)
    judge: ModelExecution = ModelExecution()
    by_judge: dict[str, ModelExecution] = {}
    teacher: ModelExecution = ModelExecution()
    ledger: str | None = None

    def of(self, judge: ModelSpec) -> ModelExecution:
        """How one judge is called."""
        return self.by_judge.get(judge.spec, self.judge)
