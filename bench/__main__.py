"""Run all benchmarks: `make bench`."""

from bench import rpc, rules, state_encoding, streams, transport

for benchmark in (state_encoding, rules, rpc, streams, transport):
    benchmark.main()
    print()
