package burraco_test

import (
	"google.golang.org/grpc/resolver"
)

// round resolves to the addresses of several services, as a DNS name of all replicas does.
type round []resolver.Address

func addresses(targets ...string) resolver.Builder {
	all := make(round, len(targets))
	for at, target := range targets {
		all[at] = resolver.Address{Addr: target}
	}
	return all
}

func (r round) Scheme() string { return "round" }

func (r round) Build(_ resolver.Target, conn resolver.ClientConn, _ resolver.BuildOptions) (resolver.Resolver, error) {
	return r, conn.UpdateState(resolver.State{Addresses: r})
}

func (r round) ResolveNow(resolver.ResolveNowOptions) {}

func (r round) Close() {}
