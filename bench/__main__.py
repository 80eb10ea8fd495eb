"""Run all benchmarks: `make bench`."""

from bench import rpc, rules, state_encoding

for benchmark in (state_encoding, rules, rpc):
    benchmark.main()
    print()
