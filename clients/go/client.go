package burraco

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/metadata"

	"burraco/burracopb"
)

// Names of the metadata that say who calls, and in which language he reads.
const (
	APIKeyMetadata    = "burraco-api-key"
	SeatTokenMetadata = "burraco-seat-token"
	LanguageMetadata  = "accept-language"
)

// A Client is a connection to the service, with the generated stub on it. Any number of goroutines may share one.
//
// It is a [grpc.ClientConnInterface] too: every stub made on it says who calls, has the deadline and the retries, and
// fails with [*RulesError].
type Client struct {
	// Game is the generated stub of the service.
	Game burracopb.GameServiceClient

	conn     *grpc.ClientConn
	identity []string // metadata, name and value: a secret
	refused  error    // what no metadata can be is sent nowhere
	language string
}

// Dial opens a client. The target is as gRPC has it: give a dns:///name:port that resolves to all replicas, and calls
// go round them. Without [WithTLS] nothing is encrypted. The connection itself is made by the first call, or by
// [Client.WaitReady].
func Dial(target string, options ...Option) (*Client, error) {
	chosen, err := newSettings(options)
	if err != nil {
		return nil, fmt.Errorf("burraco: dial %s: %w", target, err)
	}
	dial, err := chosen.dialOptions()
	if err != nil {
		return nil, fmt.Errorf("burraco: dial %s: %w", target, err)
	}
	conn, err := grpc.NewClient(target, dial...)
	if err != nil {
		return nil, fmt.Errorf("burraco: dial %s: %w", target, err)
	}
	return newClient(conn, chosen.identity(), chosen.language), nil
}

func newClient(conn *grpc.ClientConn, identity []string, language string) *Client {
	client := &Client{conn: conn, identity: identity, language: language}
	if err := printable(identity...); err != nil {
		client.refused = &RulesError{Code: codes.InvalidArgument, Message: err.Error()}
	}
	client.Game = burracopb.NewGameServiceClient(client)
	return client
}

// AsSeat returns a client on the same connection that is a seat: it acts for that seat alone, whatever this one may do;
// an empty token is sent too, and the service refuses it. With one that no metadata can be, every call of it fails with
// INVALID_ARGUMENT. Closing either closes both.
func (c *Client) AsSeat(token string) *Client {
	return newClient(c.conn, []string{SeatTokenMetadata, token}, c.language)
}

// InLanguage returns a client on the same connection that is answered in a language, see [WithLanguage]; an empty one
// asks for none. Closing either closes both.
func (c *Client) InLanguage(language string) (*Client, error) {
	if err := printable(LanguageMetadata, language); err != nil {
		return nil, fmt.Errorf("burraco: %w", err)
	}
	return newClient(c.conn, c.identity, language), nil
}

// WaitReady waits until the client is connected, or the context ends.
func (c *Client) WaitReady(ctx context.Context) error {
	for {
		state := c.conn.GetState()
		if state == connectivity.Ready {
			return nil
		}
		c.conn.Connect()
		if !c.conn.WaitForStateChange(ctx, state) {
			return fmt.Errorf("burraco: no connection to %s: %w", c.conn.Target(), context.Cause(ctx))
		}
	}
}

// Close ends the connection and the calls on it.
func (c *Client) Close() error {
	return c.conn.Close()
}

// Invoke makes a unary call; generated stubs use it.
func (c *Client) Invoke(ctx context.Context, method string, request, response any, options ...grpc.CallOption) error {
	if c.refused != nil {
		return c.refused
	}
	return fromError(ctx, c.conn, c.conn.Invoke(c.identify(ctx), method, request, response, options...))
}

// NewStream begins a stream; generated stubs use it.
func (c *Client) NewStream(
	ctx context.Context, description *grpc.StreamDesc, method string, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	if c.refused != nil {
		return nil, c.refused
	}
	inner, err := c.conn.NewStream(c.identify(ctx), description, method, options...)
	if err != nil {
		return nil, fromError(ctx, c.conn, err)
	}
	return stream{inner, func(err error) error { return fromError(ctx, c.conn, err) }}, nil
}

// String names the target and the kind of caller, and no secret.
func (c *Client) String() string {
	switch {
	case len(c.identity) == 0:
		return fmt.Sprintf("burraco.Client(%s)", c.conn.Target())
	case c.identity[0] == SeatTokenMetadata:
		return fmt.Sprintf("burraco.Client(%s, as a seat)", c.conn.Target())
	default:
		return fmt.Sprintf("burraco.Client(%s, with an API key)", c.conn.Target())
	}
}

// GoString is String, so that %#v shows no secret either.
func (c *Client) GoString() string { return c.String() }

func (c *Client) identify(ctx context.Context) context.Context {
	ctx = metadata.AppendToOutgoingContext(ctx, c.identity...)
	if c.language != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, LanguageMetadata, c.language)
	}
	return ctx
}

// stream fails as unary calls do. Its own context says nothing of the caller: gRPC cancels that at the end of every
// stream.
type stream struct {
	grpc.ClientStream

	failed func(error) error
}

func (s stream) Header() (metadata.MD, error) {
	header, err := s.ClientStream.Header()
	return header, s.failed(err)
}

func (s stream) CloseSend() error {
	return s.failed(s.ClientStream.CloseSend())
}

func (s stream) SendMsg(message any) error {
	return s.failed(s.ClientStream.SendMsg(message))
}

func (s stream) RecvMsg(message any) error {
	return s.failed(s.ClientStream.RecvMsg(message))
}
