"""The published schemas: each field says what it means, one file a version, and open to what a later program adds."""

import importlib
import pkgutil

import jsonschema
import pytest

from biasscope import report
from biasscope.cli.schema_reference import PAGES
from biasscope.quantities import Estimate
from biasscope.report import schemas
from biasscope.report.measured import MeasuredOut
from biasscope.report.outputs import SCHEMAS
from biasscope.report.schemas import descriptions, file_name, published, schema
from biasscope.report.summary import BiasOut, Out, TrialOut

from .test_measured import measured

REPORTS = [version for version, _, _ in PAGES]


def objects(made):
    return {made["title"]: made} | made["$defs"]


@pytest.mark.parametrize("version", REPORTS)
def test_every_field_and_every_object_of_a_report_says_what_it_is(version):
    made = objects(published()[version])
    silent = [
        f"{name}.{field}"
        for name, one in made.items()
        for field, of in one["properties"].items()
        if not of.get("description", "").endswith(".")
    ]

    assert silent == []
    assert [name for name, one in made.items() if not one.get("description")] == []


def test_a_field_has_the_text_under_it_also_from_the_class_it_is_made_from():
    told = descriptions(TrialOut)

    assert told["visited"] == "Pairs that the trial visited, usable or not."
    assert told["n"] == descriptions(BiasOut)["n"]
    assert descriptions(Estimate)["level"] == "Coverage of the interval, in (0, 1)."


def test_every_schema_is_valid_and_has_its_version():
    for version, made in published().items():
        jsonschema.Draft202012Validator.check_schema(made)
        assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert made["properties"]["schema_version"]["const"] == version
        assert "schema_version" in made["required"]
    assert file_name("biasscope.discover/1") == "biasscope.discover-1.json"


def test_what_a_later_program_adds_within_a_version_is_valid_and_what_is_removed_or_changed_is_not():
    made = schema(MeasuredOut)
    report = measured().model_dump(mode="json")
    jsonschema.validate(report | {"added": 1, "pairs": report["pairs"] | {"added": 1}}, made)

    less = {key: value for key, value in report.items() if key != "judges"}
    for wrong in (less, report | {"complete": "yes"}, report | {"schema_version": "biasscope.measure/2"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, made)


def test_two_objects_of_one_version_are_refused(monkeypatch):
    class Other(Out):
        schema_version: str = "biasscope.plan/1"

    monkeypatch.setattr(schemas, "SCHEMAS", SCHEMAS | {"other": Other})
    with pytest.raises(ValueError, match=r"both are biasscope\.plan/1"):
        published()


def test_everything_that_has_a_version_has_a_published_schema():
    for module in pkgutil.iter_modules(report.__path__, "biasscope.report."):
        importlib.import_module(module.name)
    classes = [Out]
    for one in classes:
        classes += one.__subclasses__()
    versioned = {
        c for c in classes if "schema_version" in c.model_fields and c.__module__.startswith("biasscope.")
    }

    assert versioned == set(SCHEMAS.values())
