"""Statistics: plain sequences in, frozen results out; no model, no file."""
