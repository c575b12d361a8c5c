"""Models behind one protocol: remote, local, scripted and planted."""
