"""The pages that are made from the program are those of this program."""

from pathlib import Path

from biasscope.cli import reference

DOCS = Path(__file__).parents[2] / "docs"


def test_the_reference_and_the_schemas_are_up_to_date(tmp_path):
    reference.write(tmp_path)
    made = {p.relative_to(tmp_path): p.read_text(encoding="utf-8") for p in tmp_path.rglob("*.*")}
    kept = {p: (DOCS / p).read_text(encoding="utf-8") if (DOCS / p).exists() else "" for p in made}

    assert made == kept, "run make docs"
    assert {p.name for p in (DOCS / "schemas").iterdir()} == {p.name for p in made if p.parent.name == "schemas"}
