"""Training a bias away: preference pairs as tokens, direct preference optimisation, and what it leaves behind."""
