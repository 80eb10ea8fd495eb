package burraco

import (
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

const (
	defaultTimeout   = 3 * time.Second
	keepaliveTimeout = 10 * time.Second
)

// An Option changes how [Dial] connects.
type Option func(*settings)

type settings struct {
	timeout   time.Duration
	apiKey    string
	seatToken *string
	language  string
	keepalive *time.Duration
	transport credentials.TransportCredentials
	dial      []grpc.DialOption
}

// WithTimeout sets the deadline of each call, its retries included; without it that is 3 seconds. A context may end a
// call earlier, never later. The calls of a stream have no deadline.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithAPIKey says that the caller is a back end; an empty key is none. The key is a secret: send it over nothing but
// TLS, or a network of your own.
func WithAPIKey(key string) Option {
	return func(s *settings) { s.apiKey = key }
}

// WithSeatToken says that the caller is a seat: it acts and looks for that seat alone. An empty token is refused, since
// without one the caller might be taken for a back end. The token is a secret of its player: send it over nothing but
// TLS.
func WithSeatToken(token string) Option {
	return func(s *settings) { s.seatToken = &token }
}

// WithLanguage asks for the texts of violations and score sheets in a language, as the accept-language of HTTP has it:
// "it", or "pl, en;q=0.5". Without it, or where it is empty, they are in English.
func WithLanguage(language string) Option {
	return func(s *settings) { s.language = language }
}

// WithTLS encrypts the connection. A nil config trusts the system's authorities; one with a client certificate may make
// the caller a back end.
func WithTLS(config *tls.Config) Option {
	return WithTransportCredentials(credentials.NewTLS(config))
}

// WithTransportCredentials is for credentials that are neither TLS nor, as without an option, nothing at all.
func WithTransportCredentials(transport credentials.TransportCredentials) Option {
	return func(s *settings) { s.transport = transport }
}

// WithKeepalive pings a silent connection every so often, so that a lost one is noticed; 30 seconds suit mobile
// networks, and gRPC takes no less than 10.
func WithKeepalive(every time.Duration) Option {
	return func(s *settings) { s.keepalive = &every }
}

// WithDialOptions adds options of gRPC's own; they win over those set here.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.dial = append(s.dial, options...) }
}

func newSettings(options []Option) (settings, error) {
	chosen := settings{timeout: defaultTimeout, transport: insecure.NewCredentials()}
	for _, option := range options {
		option(&chosen)
	}
	switch {
	case chosen.timeout <= 0:
		return settings{}, fmt.Errorf("the timeout is %v: give a positive one", chosen.timeout)
	case chosen.keepalive != nil && *chosen.keepalive <= 0:
		return settings{}, fmt.Errorf("the keepalive is %v: give a positive one", *chosen.keepalive)
	case chosen.apiKey != "" && chosen.seatToken != nil:
		return settings{}, errors.New("a caller is a seat or a back end: give a seat token or an API key, not both")
	case chosen.seatToken != nil && *chosen.seatToken == "":
		return settings{}, errors.New("the seat token is empty: give that of the seat, or leave the option out")
	case chosen.transport == nil:
		return settings{}, errors.New("there are no transport credentials: leave the option out for none")
	}
	return chosen, printable(append(chosen.identity(), LanguageMetadata, chosen.language)...)
}

// printable refuses what no metadata can be, given as names and values. No value is told: it may be a secret.
func printable(metadata ...string) error {
	for pair := range slices.Chunk(metadata, 2) {
		if strings.ContainsFunc(pair[1], func(sign rune) bool { return sign < ' ' || sign > '~' }) {
			return fmt.Errorf("what is given for %s has signs other than printable ASCII", pair[0])
		}
	}
	return nil
}

func (s settings) dialOptions() ([]grpc.DialOption, error) {
	config, err := serviceConfig(s.timeout)
	if err != nil {
		return nil, err
	}
	dial := []grpc.DialOption{
		grpc.WithTransportCredentials(s.transport),
		grpc.WithDefaultServiceConfig(config),
		grpc.WithDisableServiceConfig(), // of a resolver's: the one above is what the service recommends
	}
	if s.keepalive != nil {
		dial = append(dial, grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: *s.keepalive, Timeout: keepaliveTimeout, PermitWithoutStream: true,
		}))
	}
	return append(dial, s.dial...), nil
}

func (s settings) identity() []string {
	switch {
	case s.seatToken != nil:
		return []string{SeatTokenMetadata, *s.seatToken}
	case s.apiKey != "":
		return []string{APIKeyMetadata, s.apiKey}
	default:
		return nil
	}
}
