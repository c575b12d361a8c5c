"""The known biases, a file a family. Every module here is read: what it lists in `ENTRIES` is in the catalogue."""
