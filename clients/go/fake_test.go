package burraco_test

import (
	"context"
	"net"
	"os"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"

	"burraco"
	"burraco/burracopb"
	"burraco/internal/servertest"
)

func TestMain(m *testing.M) { os.Exit(servertest.Main(m)) }

// fake answers every unary call as a test says, and keeps what it was asked.
type fake struct {
	burracopb.UnimplementedGameServiceServer

	address string
	answer  func(ctx context.Context, request proto.Message) (proto.Message, error)

	mutex    sync.Mutex
	requests []proto.Message
	headers  []metadata.MD
}

func serve(
	t *testing.T, answer func(context.Context, proto.Message) (proto.Message, error),
	transport ...credentials.TransportCredentials,
) *fake {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	service := &fake{address: listener.Addr().String(), answer: answer}
	options := []grpc.ServerOption{grpc.UnaryInterceptor(service.intercept)}
	for _, each := range transport {
		options = append(options, grpc.Creds(each))
	}
	server := grpc.NewServer(options...)
	burracopb.RegisterGameServiceServer(server, service)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return service
}

// answers always answers the same.
func answers(message proto.Message) func(context.Context, proto.Message) (proto.Message, error) {
	return func(context.Context, proto.Message) (proto.Message, error) { return message, nil }
}

// fails always ends with a status, and these details.
func fails(
	code codes.Code, message string, details ...protoadapt.MessageV1,
) func(context.Context, proto.Message) (proto.Message, error) {
	failed, err := status.New(code, message).WithDetails(details...)
	if err != nil {
		failed = status.New(code, message)
	}
	return func(context.Context, proto.Message) (proto.Message, error) { return nil, failed.Err() }
}

func (f *fake) intercept(ctx context.Context, request any, _ *grpc.UnaryServerInfo, _ grpc.UnaryHandler) (any, error) {
	asked, ok := request.(proto.Message)
	if !ok {
		return nil, status.Error(codes.Internal, "no message")
	}
	f.keep(ctx, asked)
	return f.answer(ctx, asked)
}

func (f *fake) keep(ctx context.Context, requests ...proto.Message) {
	headers, _ := metadata.FromIncomingContext(ctx)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.requests, f.headers = append(f.requests, requests...), append(f.headers, headers)
}

// told is the metadata of each call.
func (f *fake) told() []metadata.MD {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return append([]metadata.MD(nil), f.headers...)
}

func (f *fake) asked() []proto.Message {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return append([]proto.Message(nil), f.requests...)
}

// only is the one request that there was.
func only[M proto.Message](t *testing.T, service *fake) M {
	t.Helper()
	requests := service.asked()
	if len(requests) != 1 {
		t.Fatalf("%d requests: %v", len(requests), requests)
	}
	request, ok := requests[0].(M)
	if !ok {
		t.Fatalf("the request is a %T", requests[0])
	}
	return request
}

func dial(t *testing.T, target string, options ...burraco.Option) *burraco.Client {
	t.Helper()
	client, err := burraco.Dial(target, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// says sees that an error has a text.
func says(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("%q is not in the error %v", text, err)
	}
}

func equal(t *testing.T, actual, expected proto.Message) {
	t.Helper()
	if !proto.Equal(actual, expected) {
		t.Errorf("expected %v\nactual   %v", expected, actual)
	}
}
