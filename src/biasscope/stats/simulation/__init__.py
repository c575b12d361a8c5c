"""Simulated judges whose truth is known, and what a validation rule does to them. Pure: numbers in, numbers out.

`world` draws judges, `truth` says what is true of them, `alternatives` are rules measured beside ours, `score`
counts what a rule got right and what it cost. No text is written or read here; the rule itself is `stats.sequential`.
"""
