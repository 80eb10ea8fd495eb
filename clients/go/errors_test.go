package burraco_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/types/known/durationpb"

	"burraco"
	"burraco/burracopb"
)

// failure makes a call that ends so, and returns what the client fails with.
func failure(t *testing.T, code codes.Code, details ...protoadapt.MessageV1) *burraco.RulesError {
	t.Helper()
	service := serve(t, fails(code, "seat is out of range", details...))
	failed, ok := errors.AsType[*burraco.RulesError](listPresets(t.Context(), dial(t, service.address)))
	if !ok {
		t.Fatal("no RulesError")
	}
	return failed
}

func TestAllDetailsAreRead(t *testing.T) {
	failed := failure(t, codes.InvalidArgument,
		&errdetails.DebugInfo{Detail: "of no interest"},
		&errdetails.ErrorInfo{
			Domain: "burraco", Reason: "REASON_FIELD_OUT_OF_RANGE",
			Metadata: map[string]string{"max": "3", "value": "7"},
		},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: "seat", Reason: "REASON_FIELD_OUT_OF_RANGE", Description: "7 is above 3"},
			{Field: "moves", Reason: "REASON_OF_A_LATER_VERSION", Description: "are missing"},
		}},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(1500 * time.Millisecond)},
	)
	if failed.Code != codes.InvalidArgument || failed.Reason != burracopb.Reason_REASON_FIELD_OUT_OF_RANGE ||
		failed.Message != "seat is out of range" || failed.RetryAfter != 1500*time.Millisecond || failed.Transient() {
		t.Errorf("%+v", failed)
	}
	if !maps.Equal(failed.Arguments, map[string]string{"max": "3", "value": "7"}) {
		t.Error(failed.Arguments)
	}
	if !slices.Equal(failed.Fields, []burraco.FieldViolation{
		{Field: "seat", Reason: burracopb.Reason_REASON_FIELD_OUT_OF_RANGE, Description: "7 is above 3"},
		{Field: "moves", Reason: burracopb.Reason_REASON_UNSPECIFIED, Description: "are missing"},
	}) {
		t.Error(failed.Fields)
	}
	if text := failed.Error(); text !=
		"INVALID_ARGUMENT REASON_FIELD_OUT_OF_RANGE: seat is out of range moves are missing" {
		t.Error(text)
	}
	if status.Code(failed) != codes.InvalidArgument || len(status.Convert(failed).Details()) != 4 {
		t.Error(status.Convert(failed))
	}
}

func TestWithoutDetails(t *testing.T) {
	failed := failure(t, codes.ResourceExhausted)
	if failed.Code != codes.ResourceExhausted || failed.Reason != 0 || failed.Arguments != nil ||
		failed.Fields != nil || failed.RetryAfter != 0 || failed.Transient() ||
		failed.Error() != "RESOURCE_EXHAUSTED: seat is out of range" {
		t.Errorf("%+v", failed)
	}
}

// After the last try the service is quoted, and gRPC's count of the tries is not.
func TestTheLastTryIsTold(t *testing.T) {
	failed := failure(t, codes.Unavailable, &errdetails.ErrorInfo{Domain: "burraco", Reason: "REASON_OVERLOADED"})
	if failed.Message != "seat is out of range" || !failed.Transient() || len(failed.GRPCStatus().Details()) != 1 {
		t.Errorf("%+v", failed)
	}
}

// Of a name that is not found gRPC says only that there are no children to pick from.
func TestWhoWasNotReachedIsTold(t *testing.T) {
	const target = "no-such-name.invalid:50051"
	failed, ok := errors.AsType[*burraco.RulesError](listPresets(t.Context(), dial(t, target)))
	if !ok || failed.Code != codes.Unavailable {
		t.Fatal(failed)
	}
	says(t, failed, "UNAVAILABLE: calling "+target+": ")
}

// A message over the size limit is RESOURCE_EXHAUSTED too, and without a RetryInfo: it never succeeds.
func TestWhatIsTransient(t *testing.T) {
	transient := map[codes.Code]bool{codes.Unavailable: true, codes.DeadlineExceeded: true, codes.Canceled: true}
	for code := codes.Canceled; code <= codes.Unauthenticated; code++ {
		for _, delay := range []time.Duration{-1, 0, time.Second} {
			failed := status.New(code, "as told")
			if delay >= 0 {
				var err error
				if failed, err = failed.WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(delay)}); err != nil {
					t.Fatal(err)
				}
			}
			expected := transient[code] || code == codes.ResourceExhausted && delay >= 0
			if read := burraco.FromError(failed.Err()); read.Transient() != expected {
				t.Errorf("%v, to be tried again after %v: %v", code, delay, read.Transient())
			}
		}
	}
	if made := (&burraco.RulesError{Code: codes.ResourceExhausted, RetryAfter: time.Second}); !made.Transient() {
		t.Error(made)
	}
}

// A reason that this client does not know, or of another domain, is none; a later service's arguments are told.
func TestUnknownReasons(t *testing.T) {
	for _, info := range []*errdetails.ErrorInfo{
		{Domain: "burraco", Reason: "REASON_OF_A_LATER_VERSION", Metadata: map[string]string{"a": "b"}},
		{Domain: "proxy.example", Reason: "REASON_OVERLOADED", Metadata: map[string]string{"a": "b"}},
	} {
		failed := failure(t, codes.Unknown, info)
		if failed.Reason != burracopb.Reason_REASON_UNSPECIFIED ||
			(len(failed.Arguments) > 0) != (info.Domain == "burraco") {
			t.Errorf("%+v", failed)
		}
	}
}

// Details that something on the way has damaged are left out; the code still tells.
func TestDamagedDetails(t *testing.T) {
	service := serve(t, func(ctx context.Context, _ proto.Message) (proto.Message, error) {
		_ = grpc.SetTrailer(ctx, metadata.Pairs("grpc-status-details-bin", "\xff\xff\xff"))
		return nil, status.Error(codes.Aborted, "moved in between")
	})
	failed, ok := errors.AsType[*burraco.RulesError](listPresets(t.Context(), dial(t, service.address)))
	if !ok || failed.Reason != burracopb.Reason_REASON_UNSPECIFIED || failed.Code == codes.OK {
		t.Errorf("%+v", failed)
	}
}

func TestFromError(t *testing.T) {
	if failed := burraco.FromError(nil); failed != nil {
		t.Error(failed)
	}
	if failed := burraco.FromError(errors.New("broken")); failed.Code != codes.Unknown || failed.Message != "broken" {
		t.Error(failed)
	}
	known := &burraco.RulesError{Code: codes.Aborted}
	if failed := burraco.FromError(fmt.Errorf("round it: %w", known)); failed != known {
		t.Error(failed)
	}
}

func TestAnIllegalMoveTellsAllItsViolations(t *testing.T) {
	illegal := &burraco.IllegalMove{Violations: []*burracopb.Violation{
		{Reason: burracopb.Reason_REASON_TOO_FEW_CARDS, RuleId: "B4-19", Text: "A meld has at least three cards."},
		{Reason: burracopb.Reason_REASON_MUST_KEEP_TWO, RuleId: "R1", Text: "Two cards have to remain in hand."},
	}}
	if text := illegal.Error(); text !=
		"A meld has at least three cards. (B4-19); Two cards have to remain in hand. (R1)" {
		t.Error(text)
	}
	if !slices.Equal(illegal.Reasons(), []burracopb.Reason{
		burracopb.Reason_REASON_TOO_FEW_CARDS, burracopb.Reason_REASON_MUST_KEEP_TWO,
	}) {
		t.Error(illegal.Reasons())
	}
	if !illegal.Has(burracopb.Reason_REASON_MUST_KEEP_TWO) || illegal.Has(burracopb.Reason_REASON_PILE_EMPTY) {
		t.Error("Has")
	}
}

func ExampleIllegalMove() {
	// What Table.Play returns for a draw too many.
	var err error = &burraco.IllegalMove{Violations: []*burracopb.Violation{{
		Reason: burracopb.Reason_REASON_ALREADY_DRAWN, RuleId: "B4-15",
		Text: "You have drawn already: meld or discard.",
	}}}

	if illegal, ok := errors.AsType[*burraco.IllegalMove](err); ok {
		for _, violation := range illegal.Violations {
			fmt.Println(violation.GetReason(), violation.GetText())
		}
	}
	// Output: REASON_ALREADY_DRAWN You have drawn already: meld or discard.
}

func ExampleRulesError() {
	// What every call may fail with.
	var err error = &burraco.RulesError{
		Code: codes.Aborted, Reason: burracopb.Reason_REASON_REVISION_MISMATCH,
		Message: "somebody has moved in between",
	}

	failed, ok := errors.AsType[*burraco.RulesError](err)
	switch {
	case !ok:
		fmt.Println("not of the service")
	case failed.Reason == burracopb.Reason_REASON_REVISION_MISMATCH:
		fmt.Println("load the newer state, and let the player look again")
	case failed.Transient():
		fmt.Println("again, after", failed.RetryAfter)
	}
	// Output: load the newer state, and let the player look again
}
