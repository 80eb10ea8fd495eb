"""Run all benchmarks: `make bench`."""

from bench import rpc, rules, state_encoding, streams

for benchmark in (state_encoding, rules, rpc, streams):
    benchmark.main()
    print()
