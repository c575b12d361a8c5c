"""How the pages become a site: `make site`. Nothing is fetched: no web fonts, no scripts from elsewhere."""

import tomllib
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

_PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = _PROJECT["name"]
author = _PROJECT["authors"][0]["name"]
release = version = _PROJECT["version"]

extensions = ["myst_parser"]
myst_heading_anchors = 4
nitpicky = True

html_theme = "furo"
html_title = f"{project} {release}"
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
# Blocks without a language are commands and what they print.
highlight_language = "none"


def setup(app: Sphinx) -> None:
    """Show rows of CSV as they are: no highlighter knows them."""
    app.add_lexer("csv", TextLexer)
