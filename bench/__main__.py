"""Run all benchmarks: `make bench`."""

from bench import rpc, rules, state_encoding, transport

for benchmark in (state_encoding, rules, rpc, transport):
    benchmark.main()
    print()
