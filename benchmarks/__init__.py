"""Speed, cost and scale, measured: `python -m benchmarks`, or `make bench`. What they say is in docs/performance.md."""
