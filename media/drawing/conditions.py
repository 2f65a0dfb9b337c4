"""Which of its alternatives a document shows (SVG 2, section 5.7), to a reader of English."""

from __future__ import annotations

from xml.etree.ElementTree import Element

LANGUAGE = "en-us"
"""What browsers ask for by default."""


def are_met(element: Element) -> bool:
    """Tell whether an element is shown: of extensions none is known, of features all are. Takes the conditions away."""
    element.attrib.pop("requiredFeatures", None)
    extensions = element.attrib.pop("requiredExtensions", None)
    languages = element.attrib.pop("systemLanguage", None)
    if extensions is not None:  # an empty list is false, too
        return False
    if languages is None:
        return True
    asked = [one.strip().lower() for one in languages.split(",")]
    return any(one == LANGUAGE or (one and LANGUAGE.startswith(f"{one}-")) for one in asked)
