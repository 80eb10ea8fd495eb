"""Benchmarks: `make bench`. Figures are ratios within one run, since machines differ and are noisy."""
