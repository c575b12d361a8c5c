"""Workflows: async generators of records, made of steps; faces store and show what they yield."""
