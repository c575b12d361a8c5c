"""Known biases, one small file a family."""
