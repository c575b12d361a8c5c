"""The review app: pages on which people compare responses with their rewrites, served to a few reviewers by personal link.

Only `app`, `guard` and `serving` need the extra ``review``; who may answer, what comes next and what is stored is known
without it.
"""
