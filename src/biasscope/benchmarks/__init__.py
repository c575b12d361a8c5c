"""Hardened benchmarks as values: what their rows are, which of them are the same, and what a filter keeps. Pure."""

from biasscope.benchmarks.items import CELLS, BenchmarkItem, Form, Label, Subset

__all__ = ["CELLS", "BenchmarkItem", "Form", "Label", "Subset"]
