package burraco

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/status"

	"burraco/burracopb"
)

// Domain is that of the service's ErrorInfo.
const Domain = "burraco"

// A FieldViolation is a field of the request that is wrong.
type FieldViolation struct {
	// Field is its path, such as moves[0].meld.cards[2].
	Field string
	// Reason is REASON_UNSPECIFIED where the service gave none that this client knows.
	Reason burracopb.Reason
	// Description says what is wrong, in English.
	Description string
}

// A RulesError is a call that failed. An illegal move is no failure: see [IllegalMove].
type RulesError struct {
	Code codes.Code
	// Message is English, for developers.
	Message string
	// Reason is REASON_UNSPECIFIED where there is none that this client knows.
	Reason burracopb.Reason
	// Arguments of the reason, by name.
	Arguments map[string]string
	// Fields of the request that are wrong.
	Fields []FieldViolation
	// RetryAfter is how long to wait before another try; 0 where the service did not say.
	RetryAfter time.Duration

	status   *status.Status
	overload bool  // the service said when to try again, be that at once
	cause    error // see Unwrap
}

// Error tells code, reason, message and what is wrong with further fields.
func (e *RulesError) Error() string {
	var text strings.Builder
	text.WriteString(codeName(e.Code))
	if e.Reason != burracopb.Reason_REASON_UNSPECIFIED {
		text.WriteString(" " + e.Reason.String())
	}
	text.WriteString(": " + e.Message)
	for at, field := range e.Fields {
		if at > 0 { // the message tells of the first one
			fmt.Fprintf(&text, " %s %s", field.Field, field.Description)
		}
	}
	return text.String()
}

// Transient says whether the same call may succeed later: after Unavailable, DeadlineExceeded, Canceled unless the
// caller did it himself, and ResourceExhausted where the service says when to try again, which it does not of a message
// over the size limit. Calls are pure, so it may simply be made again, after RetryAfter; the client has done so a few
// times already.
func (e *RulesError) Transient() bool {
	switch e.Code {
	case codes.Unavailable, codes.DeadlineExceeded:
		return true
	case codes.Canceled:
		return e.cause == nil
	case codes.ResourceExhausted:
		return e.overload || e.RetryAfter > 0
	default:
		return false
	}
}

// GRPCStatus returns the status as it came, for [status.FromError] and [status.Code].
func (e *RulesError) GRPCStatus() *status.Status {
	if e.status != nil {
		return e.status
	}
	return status.New(e.Code, e.Message)
}

// Unwrap returns [context.DeadlineExceeded] where a deadline has passed, [context.Canceled] where the caller's context
// ended the call, and [net.ErrClosed] where the caller has closed the client.
func (e *RulesError) Unwrap() error { return e.cause }

// FromError reads all that the service says of a call that failed: nil of nil, and a RulesError as it is. Calls on a
// [Client] fail with one by themselves.
func FromError(err error) *RulesError {
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*RulesError](err); ok {
		return known
	}
	failed := statusOf(err)
	read := &RulesError{Code: failed.Code(), Message: failed.Message(), status: failed}
	if read.Code == codes.DeadlineExceeded {
		read.cause = context.DeadlineExceeded
	}
	for _, detail := range failed.Details() { // one that cannot be read is an error here, and of no interest
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			if detail.GetDomain() == Domain {
				read.Reason, read.Arguments = reason(detail.GetReason()), detail.GetMetadata()
			}
		case *errdetails.BadRequest:
			for _, wrong := range detail.GetFieldViolations() {
				read.Fields = append(read.Fields, FieldViolation{
					Field: wrong.GetField(), Reason: reason(wrong.GetReason()), Description: wrong.GetDescription(),
				})
			}
		case *errdetails.RetryInfo:
			read.overload, read.RetryAfter = true, detail.GetRetryDelay().AsDuration()
		}
	}
	return read
}

// statusOf gives the status as it came, without what gRPC writes around that of a call whose tries are over.
func statusOf(err error) *status.Status {
	if carrier, ok := errors.AsType[interface {
		error
		GRPCStatus() *status.Status
	}](err); ok && carrier.GRPCStatus() != nil {
		return carrier.GRPCStatus()
	}
	return status.Convert(err)
}

// An IllegalMove is a move that the rules forbid. Nothing has changed.
type IllegalMove struct {
	// Violations are everything wrong with the first illegal move, in the order of their reasons' numbers.
	Violations []*burracopb.Violation
}

// Error tells every violation, with the rule that says so.
func (m *IllegalMove) Error() string {
	texts := make([]string, len(m.Violations))
	for at, violation := range m.Violations {
		texts[at] = fmt.Sprintf("%s (%s)", violation.GetText(), violation.GetRuleId())
	}
	return strings.Join(texts, "; ")
}

// Reasons lists the reasons alone, in the same order.
func (m *IllegalMove) Reasons() []burracopb.Reason {
	reasons := make([]burracopb.Reason, len(m.Violations))
	for at, violation := range m.Violations {
		reasons[at] = violation.GetReason()
	}
	return reasons
}

// Has says whether one of the violations has this reason.
func (m *IllegalMove) Has(wanted burracopb.Reason) bool {
	return slices.Contains(m.Reasons(), wanted)
}

// fromError makes a RulesError of an error of gRPC's on this connection, and leaves the end of a stream as it is. The
// context is the caller's own, which nobody but he cancels.
func fromError(ctx context.Context, conn *grpc.ClientConn, err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	read := FromError(err)
	switch {
	case read.Code == codes.Unavailable && len(read.status.Details()) == 0:
		// Of a name that is not found gRPC says no more than that there are no children to pick from.
		read.Message = fmt.Sprintf("calling %s: %s", conn.Target(), read.Message)
	case read.Code != codes.Canceled:
	case errors.Is(ctx.Err(), context.Canceled):
		read.cause = context.Canceled
	case conn.GetState() == connectivity.Shutdown:
		read.cause = net.ErrClosed
	}
	return read
}

// lacks is of an answer without a part that it has to have.
func lacks(method, part string) *RulesError {
	return &RulesError{Code: codes.Unknown, Message: fmt.Sprintf(
		"%s was answered without %s: the service and this client do not fit each other", method, part,
	)}
}

// reason finds a reason by name; a newer service may send one that this client does not know.
func reason(name string) burracopb.Reason {
	return burracopb.Reason(burracopb.Reason_value[name])
}

// codeName is the canonical name, as the service's documents have it.
func codeName(of codes.Code) string {
	if name, ok := code.Code_name[int32(of)]; ok { //nolint:gosec // codes are below 17
		return name
	}
	return of.String()
}
