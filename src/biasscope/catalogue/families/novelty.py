"""Novelty: a sentence that claims to be the latest, against one that claims nothing."""

from __future__ import annotations

from biasscope.catalogue.base import CatalogueEntry
from biasscope.catalogue.edits import pattern_detector, sentence_rule
from biasscope.records import Bias

NEW = (
    "This reflects the very latest state of things.",
    "All of this is fully up to date as of today.",
    "The most recent developments have been taken into account here.",
    "What stands here is brand new and only just released.",
    "This is the newest version, updated only this week.",
    "Cutting-edge and entirely current, this replaces whatever came before.",
    "These lines draw on recent breakthroughs of the past few days.",
    "Nothing more recent than this has yet appeared anywhere.",
)
PLAIN = (
    "This precedes the next printed piece of text.",
    "All of this is put down in line as it comes.",
    "The next several paragraphs have been placed in sequence here.",
    "What stands here is next down and comes right after.",
    "This is the next sentence, placed beside that one.",
    "Side-by-side and directly underneath, this follows whatever came before.",
    "These lines carry on several paragraphs of the next few pages.",
    "Something lower down than this has then continued onwards.",
)

NOVELTY = CatalogueEntry(
    bias=Bias(
        id="novelty",
        name="Novelty bias",
        definition=(
            "The text claims to be recent, up to date or based on the latest developments, without any news "
            "in it; a judge may take what is said to be new for better."
        ),
        origin="catalogue",
    ),
    source=(
        "Marioriyad et al. 2025, The Silent Judge: Unacknowledged Shortcut Bias in LLM-as-a-Judge "
        "(arXiv 2509.26072)"
    ),
    sign="for",
    phrasings=len(NEW),
    rewrite=sentence_rule(NEW),
    neutral=sentence_rule(PLAIN),
    detector=pattern_detector(
        r"\b(?:latest|newest|most recent|more recent|brand[- ]new|up[- ]to[- ]date|up[- ]to[- ]the[- ]minute)\b",
        r"\b(?:cutting|bleeding)[- ]edge\b|\bstate[- ]of[- ]the[- ]art\b|\bgroundbreaking\b|\bfreshest\b",
        r"\bnever[- ]before[- ]seen\b",
        r"\bas of (?:today|now|this (?:week|month|year)|(?:early |late )?20\d\d)\b|\bentirely current\b",
        r"\b(?:only |just |newly |freshly |recently )(?:just |recently )?(?:released|published|updated"
        r"|discovered|announced|revised)\b",
        r"\b(?:recent|new) (?:breakthrough|development|discover|advance|finding)(?:s|y|ies)?\b",
        r"\bupdated (?:\w{1,12} )?(?:this (?:week|month|year|morning)|today|yesterday)\b",
        r"\b(?:only|just) (?:last|this) (?:week|month|year)\b",
        r"\bsupersedes? (?:all|any|every|earlier|previous|whatever)\b",
        r"\b(?:past|last) few (?:days|weeks|months)\b",
    ),
)

ENTRIES = (NOVELTY,)
