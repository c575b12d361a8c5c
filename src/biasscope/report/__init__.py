"""Records in, documents out: the summary object and Markdown. Pure: nothing is read, written or computed anew."""
