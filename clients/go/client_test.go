package burraco_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"burraco"
	"burraco/burracopb"
)

func listPresets(ctx context.Context, client *burraco.Client) error {
	_, err := client.Game.ListPresets(ctx, &burracopb.ListPresetsRequest{})
	return err
}

func TestWaitReady(t *testing.T) {
	client := dial(t, serve(t, answers(nil)).address)
	if err := client.WaitReady(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestWaitReadyNamesTheTarget(t *testing.T) {
	client := dial(t, "127.0.0.1:1")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	err := client.WaitReady(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "127.0.0.1:1") {
		t.Error(err)
	}
}

// CANCELLED is what gRPC says of a call that came as its server ended.
func TestAReplicaThatGoesAwayIsNoFailure(t *testing.T) {
	for _, code := range []codes.Code{codes.Unavailable, codes.Canceled} {
		t.Run(code.String(), func(t *testing.T) {
			service := serve(t, nil)
			service.answer = func(context.Context, proto.Message) (proto.Message, error) {
				if len(service.asked()) < 4 {
					return nil, status.Error(code, "draining")
				}
				return &burracopb.ListPresetsResponse{}, nil
			}
			if err := listPresets(t.Context(), dial(t, service.address)); err != nil {
				t.Error(err)
			}
			if count := len(service.asked()); count != 4 {
				t.Errorf("%d attempts", count)
			}
		})
	}
}

func TestAReplicaThatStaysAwayIsAFailure(t *testing.T) {
	service := serve(t, fails(codes.Canceled, "draining"))
	err := listPresets(t.Context(), dial(t, service.address))
	failed, ok := errors.AsType[*burraco.RulesError](err)
	if !ok || failed.Code != codes.Canceled || !failed.Transient() || errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if count := len(service.asked()); count != 4 {
		t.Errorf("%d attempts", count)
	}
}

// ABORTED means that the caller has to look again.
func TestOtherFailuresAreNotRetried(t *testing.T) {
	service := serve(t, fails(codes.Aborted, "moved in between"))
	if err := listPresets(t.Context(), dial(t, service.address)); status.Code(err) != codes.Aborted {
		t.Error(err)
	}
	if count := len(service.asked()); count != 1 {
		t.Errorf("%d attempts", count)
	}
}

func TestEveryCallHasTheDeadline(t *testing.T) {
	service := serve(t, func(ctx context.Context, _ proto.Message) (proto.Message, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	client := dial(t, service.address, burraco.WithTimeout(200*time.Millisecond))
	for _, given := range []time.Duration{50 * time.Millisecond, 20 * time.Second} {
		ctx, cancel := context.WithTimeout(t.Context(), given)
		err := listPresets(ctx, client)
		cancel()
		failed, ok := errors.AsType[*burraco.RulesError](err)
		if !ok || failed.Code != codes.DeadlineExceeded || !failed.Transient() ||
			!errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v: %v", given, err)
		}
	}
}

// The recommended config has 5 seconds; a longer timeout holds all the same.
func TestADeadlineIsAsLongAsItSays(t *testing.T) {
	var left time.Duration
	service := serve(t, func(ctx context.Context, _ proto.Message) (proto.Message, error) {
		deadline, _ := ctx.Deadline()
		left = time.Until(deadline)
		return &burracopb.ListPresetsResponse{}, nil
	})
	client := dial(t, service.address, burraco.WithTimeout(time.Minute))
	if err := listPresets(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	if left < 50*time.Second || left > time.Minute {
		t.Errorf("%v left", left)
	}
}

func TestTheCallersEndIsNoTransientFailure(t *testing.T) {
	service := serve(t, func(ctx context.Context, _ proto.Message) (proto.Message, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	err := listPresets(ctx, dial(t, service.address))
	failed, ok := errors.AsType[*burraco.RulesError](err)
	if !ok || failed.Code != codes.Canceled || failed.Transient() || !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if count := len(service.asked()); count > 1 {
		t.Errorf("%d attempts", count)
	}
}

func TestCallsGoRoundTheReplicas(t *testing.T) {
	services := []*fake{
		serve(t, answers(&burracopb.ListPresetsResponse{})), serve(t, answers(&burracopb.ListPresetsResponse{})),
	}
	resolver := addresses(services[0].address, services[1].address)
	client := dial(t, "round:///", burraco.WithDialOptions(grpc.WithResolvers(resolver)))
	if err := client.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		if err := listPresets(t.Context(), client); err != nil {
			t.Fatal(err)
		}
		if len(services[0].asked()) > 0 && len(services[1].asked()) > 0 {
			return
		}
	}
	t.Error("one replica had no call")
}

func TestDialRefuses(t *testing.T) {
	for _, each := range []struct {
		says    string
		options []burraco.Option
	}{
		{"not both", []burraco.Option{burraco.WithAPIKey("a"), burraco.WithSeatToken("b")}},
		{"seat token is empty", []burraco.Option{burraco.WithSeatToken("")}},
		{"the timeout is 0s: give a positive one", []burraco.Option{burraco.WithTimeout(0)}},
		{"the keepalive is -1s: give a positive one", []burraco.Option{burraco.WithKeepalive(-time.Second)}},
		{"leave the option out", []burraco.Option{burraco.WithTransportCredentials(nil)}},
		{"given for burraco-api-key has signs", []burraco.Option{burraco.WithAPIKey("secret\n")}},
		{"given for burraco-seat-token has signs", []burraco.Option{burraco.WithSeatToken("secret\xff")}},
		{"given for accept-language has signs", []burraco.Option{burraco.WithLanguage("español")}},
	} {
		_, err := burraco.Dial("127.0.0.1:1", each.options...)
		if err == nil || !strings.Contains(err.Error(), each.says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", each.says, err)
		}
	}
	if client, err := dial(t, "127.0.0.1:1").InLanguage("it\r\n"); client != nil || err == nil {
		t.Error("a language that is none")
	}
	_, err := dial(t, "127.0.0.1:1").AsSeat("secret\n").Game.ListPresets(t.Context(), &burracopb.ListPresetsRequest{})
	if failed := burraco.FromError(err); failed == nil || failed.Code != codes.InvalidArgument ||
		strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), "given for burraco-seat-token has signs") {
		t.Errorf("a token that no metadata can be: %v", err)
	}
	if _, err := burraco.Dial("\x00"); err == nil {
		t.Error("a target that is none")
	}
}

func TestWhoCallsIsSentAndInWhichLanguage(t *testing.T) {
	service := serve(t, answers(&burracopb.ListPresetsResponse{}))
	backEnd := dial(t, service.address, burraco.WithAPIKey("key"))
	italian, errItalian := backEnd.InLanguage("it")
	polish, errPolish := italian.AsSeat("three").InLanguage("pl, en;q=0.5")
	neither, errNeither := polish.InLanguage("")
	if err := errors.Join(errItalian, errPolish, errNeither); err != nil {
		t.Fatal(err)
	}
	clients := []*burraco.Client{
		dial(t, service.address), backEnd,
		dial(t, service.address, burraco.WithSeatToken("one")), backEnd.AsSeat("two"), backEnd.AsSeat(""),
		dial(t, service.address, burraco.WithAPIKey(""), burraco.WithLanguage("")),
		italian, italian.AsSeat("three"), polish, neither, dial(t, service.address, burraco.WithLanguage("it")),
	}
	for _, client := range clients {
		if err := listPresets(t.Context(), client); err != nil {
			t.Fatal(err)
		}
	}
	told := make([]string, len(clients))
	for at, headers := range service.told() {
		told[at] = fmt.Sprintf("%q %q %q", headers.Get(burraco.APIKeyMetadata),
			headers.Get(burraco.SeatTokenMetadata), headers.Get(burraco.LanguageMetadata))
	}
	if !slices.Equal(told, []string{
		`[] [] []`, `["key"] [] []`, `[] ["one"] []`, `[] ["two"] []`, `[] [""] []`, `[] [] []`,
		`["key"] [] ["it"]`, `[] ["three"] ["it"]`, `[] ["three"] ["pl, en;q=0.5"]`, `[] ["three"] []`, `[] [] ["it"]`,
	}) {
		t.Error(told)
	}
}

func TestNoTextOfAClientHasASecret(t *testing.T) {
	backEnd := dial(t, "127.0.0.1:1", burraco.WithAPIKey("secret"))
	for _, client := range []*burraco.Client{backEnd, backEnd.AsSeat("secret")} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			text := fmt.Sprintf(verb, client)
			if strings.Contains(text, "secret") || !strings.Contains(text, "127.0.0.1:1") {
				t.Error(text)
			}
		}
	}
}

func TestOptionsOfGRPCWin(t *testing.T) {
	service := serve(t, fails(codes.Unavailable, "draining"))
	client := dial(
		t, service.address, burraco.WithDialOptions(grpc.WithDisableRetry()), burraco.WithKeepalive(30*time.Second),
	)
	if err := listPresets(t.Context(), client); err == nil {
		t.Error("no failure")
	}
	if count := len(service.asked()); count != 1 {
		t.Errorf("%d attempts", count)
	}
}

// StreamApplyMoves echoes correlation ids, and ends with the status of a code's name.
func (f *fake) StreamApplyMoves(stream burracopb.GameService_StreamApplyMovesServer) error {
	f.keep(stream.Context())
	for {
		request, err := stream.Recv()
		if err != nil {
			return nil //nolint:nilerr // the end
		}
		switch request.GetCorrelationId() {
		case "RESOURCE_EXHAUSTED":
			return status.Error(codes.ResourceExhausted, "too many streams")
		case "CANCELLED":
			return status.Error(codes.Canceled, "draining")
		}
		answer := &burracopb.StreamApplyMovesResponse{CorrelationId: request.GetCorrelationId()}
		if err := stream.Send(answer); err != nil {
			return err
		}
	}
}

func TestStreamsSayWhoCallsAndFailAsCallsDo(t *testing.T) {
	service := serve(t, nil)
	client := dial(t, service.address, burraco.WithAPIKey("key"), burraco.WithLanguage("it"),
		burraco.WithTimeout(20*time.Millisecond))
	for _, last := range []string{"", "RESOURCE_EXHAUSTED"} {
		stream, err := client.Game.StreamApplyMoves(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(40 * time.Millisecond) // a stream has no deadline
		if err := stream.Send(&burracopb.StreamApplyMovesRequest{CorrelationId: "a"}); err != nil {
			t.Fatal(err)
		}
		if answer, err := stream.Recv(); err != nil || answer.GetCorrelationId() != "a" {
			t.Fatal(answer, err)
		}
		if last != "" {
			err = stream.Send(&burracopb.StreamApplyMovesRequest{CorrelationId: last})
		} else {
			err = stream.CloseSend()
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = stream.Recv()
		failed, ok := errors.AsType[*burraco.RulesError](err)
		if last == "" && err != io.EOF || last != "" && (!ok || failed.Code != codes.ResourceExhausted) {
			t.Errorf("%q: %v", last, err)
		}
	}
	headers := service.told()[0]
	if got := append(headers.Get(burraco.APIKeyMetadata), headers.Get(burraco.LanguageMetadata)...); !slices.Equal(
		got, []string{"key", "it"},
	) {
		t.Error(got)
	}
}

// gRPC cancels the context of every stream at its end, so that one says nothing of who has ended it.
func TestAStreamIsCancelledByItsReplicaOrByItsCaller(t *testing.T) {
	client := dial(t, serve(t, nil).address)
	for _, byCaller := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stream, err := client.Game.StreamApplyMoves(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if byCaller {
			cancel()
		} else if err := stream.Send(&burracopb.StreamApplyMovesRequest{CorrelationId: "CANCELLED"}); err != nil {
			t.Fatal(err)
		}
		_, err = stream.Recv()
		failed, ok := errors.AsType[*burraco.RulesError](err)
		if !ok || failed.Code != codes.Canceled || failed.Transient() == byCaller ||
			errors.Is(err, context.Canceled) != byCaller {
			t.Errorf("by the caller: %v: %v", byCaller, err)
		}
	}
}

func TestAClosedClientFailsWithARulesError(t *testing.T) {
	client := dial(t, "127.0.0.1:1")
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := client.Game.StreamApplyMoves(t.Context())
	for _, err := range []error{err, listPresets(t.Context(), client)} {
		failed, ok := errors.AsType[*burraco.RulesError](err)
		if !ok || failed.Transient() || !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	}
}
