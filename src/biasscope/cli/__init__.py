"""The command line: words in, library calls, results out. It computes nothing itself."""

from biasscope.cli.app import main

__all__ = ["main"]
