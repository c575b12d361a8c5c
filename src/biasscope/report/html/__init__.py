"""A run as one HTML file that needs no network and no script: records in, text out. Everything a model wrote is text here."""
