"""Readers: one small file per format, each giving preference pairs."""
