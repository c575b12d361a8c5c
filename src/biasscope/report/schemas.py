"""JSON schemas of what commands write and print, described from the sources of their models.

A schema is named by what stands in `schema_version`: ``biasscope.discover/1`` is ``biasscope.discover-1.json``. The text
under a field in the source becomes its description; it is read when a schema is made, so that no command waits for it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from biasscope.report.outputs import SCHEMAS

VERSION = "schema_version"
DIALECT = GenerateJsonSchema.schema_dialect


def file_name(version: str) -> str:
    """The file of a schema, such as ``biasscope.discover-1.json`` for ``biasscope.discover/1``."""
    return version.replace("/", "-") + ".json"


def published() -> dict[str, dict[str, Any]]:
    """Every schema by its version; commands that print the same object share one.

    Raises ValueError where two models claim one version.
    """
    models: dict[str, type[BaseModel]] = {}
    for model in SCHEMAS.values():
        version = model.model_fields[VERSION].default
        if models.setdefault(version, model) is not model:
            raise ValueError(f"{model.__name__} and {models[version].__name__} both are {version}")
    return {version: schema(model) for version, model in models.items()}


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model as it is written.

    Fields that are not known are allowed, since later programs may add some within a version.
    """
    made = model.model_json_schema(mode="serialization", schema_generator=_Described)
    made["required"] = [VERSION, *made["required"]]
    return {"$schema": DIALECT, **made}


def descriptions(of: type[Any]) -> dict[str, str]:
    """The text under each field of a class and of those it is made from, by field; fields without one are left out."""
    texts: dict[str, str] = {}
    for base in reversed(of.__mro__):
        if base.__module__.startswith("biasscope."):
            texts |= _texts(base)
    return texts


def _texts(of: type[Any]) -> dict[str, str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(of))).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for field, after in zip(body.body, body.body[1:], strict=False):
        match field, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = " ".join(text.split())
    return found


class _Described(GenerateJsonSchema):
    """pydantic's own schemas with the descriptions of fields, and open to further ones."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """A model, described."""
        return _described(schema["cls"], super().model_schema(schema))

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """A dataclass, described."""
        return _described(schema["cls"], super().dataclass_schema(schema))


def _described(of: type[Any], made: JsonSchemaValue) -> JsonSchemaValue:
    texts = descriptions(of)
    told = {
        name: {**field, "description": texts[name]} if name in texts else field
        for name, field in made.get("properties", {}).items()
    }
    closed = made.get("additionalProperties") is False
    kept = {key: value for key, value in made.items() if key != "additionalProperties" or not closed}
    return kept | ({"properties": told} if told else {})
