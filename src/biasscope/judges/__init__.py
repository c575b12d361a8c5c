"""Instruments: how a verdict is obtained."""
