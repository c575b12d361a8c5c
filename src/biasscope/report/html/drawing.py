"""From a chart's specification to SVG that can stand in a page: drawn without a network, and nothing in it but a drawing.

What vl-convert gives is read as XML and built anew from the elements and attributes that a drawing has. Text in it
is text, whatever a name holds; anything else is a fault of ours and raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as xml

import vl_convert

VEGA_LITE = "6.4"
"""The version of Vega-Lite that draws: the one whose schema our altair writes."""
INK, MUTED, GRID, HELD, OTHER = "#1b1d22", "#5a606b", "#c9ced6", "#1f5fa8", "#6b7280"
"""The colours of charts, which the page's style replaces by those of its light or dark scheme, by class."""
_CLASSES = {INK: "ink", MUTED: "muted", GRID: "grid", HELD: "held", OTHER: "other"}
_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = frozenset({"svg", "g", "path", "rect", "line", "text", "tspan"})
_ATTRIBUTES = frozenset(
    {
        "width", "height", "viewBox", "transform", "d", "x", "y", "x1", "x2", "y1", "y2", "fill", "stroke", "opacity",
        "fill-opacity", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin",
        "stroke-miterlimit", "text-anchor", "font-family", "font-size", "font-weight", "font-style", "display",
    }
)  # fmt: skip
_DROPPED = frozenset(
    {"class", "role", "aria-hidden", "aria-label", "aria-roledescription", "pointer-events", "version"}
)


def draw(spec: Mapping[str, Any], description: str) -> str:
    """The chart as an SVG element that is as wide as its place and carries `description` for those who do not see it.

    Raises ValueError for a specification that names a resource, and for a drawing with anything else in it.
    """
    if _names_a_resource(spec):
        raise ValueError("a chart of a report holds its data and loads nothing")
    made = vl_convert.vegalite_to_svg(dict(spec), vl_version=VEGA_LITE, allowed_base_urls=[])
    if "<!" in made:
        raise ValueError("a drawing has no document type, comment or character data section")
    root = _rebuilt(xml.fromstring(made))
    for size in ("width", "height"):
        del root.attrib[size]
    root.attrib |= {"role": "img", "aria-label": description, "focusable": "false"}
    return xml.tostring(root, encoding="unicode")


def _names_a_resource(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(k in ("url", "href") or _names_a_resource(v) for k, v in value.items() if k != "values")
    return isinstance(value, list | tuple) and any(_names_a_resource(v) for v in value)


def _rebuilt(element: xml.Element) -> xml.Element:
    name = element.tag.removeprefix(f"{{{_SVG}}}")
    if name not in _ELEMENTS:
        raise ValueError(f"a drawing has no element {name!r}")
    kept: dict[str, str] = {}
    classes: list[str] = []
    for attribute, value in element.attrib.items():
        if attribute in _DROPPED:
            continue
        if attribute not in _ATTRIBUTES or "url(" in value:
            raise ValueError(f"a drawing has no attribute {attribute}={value!r}")
        kept[attribute] = value
        if attribute in ("fill", "stroke") and value in _CLASSES:
            classes.append(f"{attribute}-{_CLASSES[value]}")
    made = xml.Element(name, kept | ({"class": " ".join(classes)} if classes else {}))
    made.text = element.text
    made.extend(_rebuilt(child) for child in element)
    for child, of in zip(made, element, strict=True):
        child.tail = of.tail
    return made
