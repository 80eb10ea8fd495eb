// Backend is a small back end: it keeps matches in memory, tells each player what he may know, and lets nobody store
// over anybody else. What its checks are for is in docs/storing-state.md of the repository.
//
//	BURRACO_TARGET=127.0.0.1:50051 go run ./examples/backend
package main

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"time"

	"burraco"
)

const address = "127.0.0.1:8080"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "backend:", err)
		os.Exit(1)
	}
}

func run() error {
	target := cmp.Or(os.Getenv("BURRACO_TARGET"), "127.0.0.1:50051")
	client, err := burraco.Dial(target, burraco.WithAPIKey(os.Getenv("BURRACO_API_KEY")))
	if err != nil {
		return err
	}
	defer client.Close()
	server := &http.Server{
		Addr:              address,
		Handler:           Handler(&BackEnd{client: client, store: NewStore()}),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
	}
	fmt.Println("listening on", address)
	return server.ListenAndServe()
}
