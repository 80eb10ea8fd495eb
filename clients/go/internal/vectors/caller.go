package vectors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/anypb"

	"burraco"
	"burraco/burracopb"
)

// Services of the contract, as steps name them.
var (
	GameService    = burracopb.GameService_ServiceDesc.ServiceName
	ArbiterService = burracopb.ArbiterService_ServiceDesc.ServiceName
)

const deadline = 30 * time.Second

// A Caller makes the calls of steps: JSON in, JSON out.
type Caller interface {
	// Call makes a call and says how it ended, as the format's expect has it. Raw is sent as it is, in place of a
	// request.
	Call(ctx context.Context, rpc string, metadata map[string]string, request any, raw []byte) (map[string]any, error)
}

// Channels are connections to servers, by service.
type Channels map[string]*grpc.ClientConn

// Connect opens a connection for each service; calls on them are made once, and never again.
func Connect(targets map[string]string) (Channels, error) {
	channels := Channels{}
	for service, target := range targets {
		conn, err := grpc.NewClient(
			target,
			grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDisableRetry(), grpc.WithNoProxy(),
		)
		if err != nil {
			return nil, errors.Join(err, channels.Close())
		}
		channels[service] = conn
	}
	return channels, nil
}

// Close closes the connections.
func (c Channels) Close() error {
	var failed []error
	for _, conn := range c {
		failed = append(failed, conn.Close())
	}
	return errors.Join(failed...)
}

// Call implements Caller.
func (c Channels) Call(
	ctx context.Context, rpc string, headers map[string]string, request any, raw []byte,
) (map[string]any, error) {
	service, name, _ := strings.Cut(rpc, "/")
	conn, ok := c[service]
	if !ok {
		return nil, fmt.Errorf("there is no address of %s", service)
	}
	method, err := methodOf(service, name)
	if err != nil {
		return nil, err
	}
	answer, err := newMessage(method.Output())
	if err != nil {
		return nil, err
	}
	sent, err := payload(method, request, raw)
	if err != nil {
		return nil, fmt.Errorf("the request cannot be read: %w", err)
	}
	ctx, cancel := context.WithTimeout(metadata.NewOutgoingContext(ctx, metadata.New(headers)), deadline)
	defer cancel()
	if err := conn.Invoke(ctx, "/"+rpc, sent, answer, grpc.ForceCodec(codec{})); err != nil {
		return failure(status.Convert(err))
	}
	printed, err := toJSON(answer)
	return map[string]any{"code": code.Code_OK.String(), "answer": printed}, err
}

func methodOf(service, name string) (protoreflect.MethodDescriptor, error) {
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", service, err)
	}
	described, ok := found.(protoreflect.ServiceDescriptor)
	if !ok {
		return nil, fmt.Errorf("%s is no service", service)
	}
	method := described.Methods().ByName(protoreflect.Name(name))
	if method == nil {
		return nil, fmt.Errorf("%s has no method %s", service, name)
	}
	return method, nil
}

func newMessage(described protoreflect.MessageDescriptor) (proto.Message, error) {
	found, err := protoregistry.GlobalTypes.FindMessageByName(described.FullName())
	if err != nil {
		return nil, err
	}
	return found.New().Interface(), nil
}

func payload(method protoreflect.MethodDescriptor, request any, raw []byte) ([]byte, error) {
	if raw != nil {
		return raw, nil
	}
	message, err := newMessage(method.Input())
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	if err := protojson.Unmarshal(text, message); err != nil {
		return nil, err
	}
	return proto.Marshal(message)
}

// codec sends bytes as they are.
type codec struct{}

func (codec) Name() string { return "proto" }

func (codec) Marshal(value any) ([]byte, error) {
	content, ok := value.([]byte)
	if !ok {
		return nil, fmt.Errorf("a %T is sent, not bytes", value)
	}
	return content, nil
}

func (codec) Unmarshal(data []byte, value any) error {
	message, ok := value.(proto.Message)
	if !ok {
		return fmt.Errorf("a %T is no message", value)
	}
	return proto.Unmarshal(data, message)
}

// failure says how a call failed. Without the details of this service nothing but the code is told.
func failure(failed *status.Status) (map[string]any, error) {
	outcome := map[string]any{"code": code.Code(failed.Code()).String()}
	details := failed.Proto().GetDetails()
	info, ok := detail[*errdetails.ErrorInfo](details)
	if !ok || info.GetDomain() != burraco.Domain {
		return outcome, nil
	}
	outcome["reason"] = info.GetReason()
	if len(info.GetMetadata()) > 0 {
		arguments := map[string]any{}
		for name, value := range info.GetMetadata() {
			arguments[name] = value
		}
		outcome["arguments"] = arguments
	}
	if failed.Message() != "" {
		outcome["message"] = failed.Message()
	}
	for key, found := range map[string]proto.Message{
		"fieldViolations": orNil[*errdetails.BadRequest](details), "retryDelay": orNil[*errdetails.RetryInfo](details),
	} {
		if found == nil {
			continue
		}
		printed, err := toJSON(found)
		if err != nil {
			return nil, err
		}
		if fields, ok := printed.(map[string]any); ok && fields[key] != nil {
			outcome[strings.Replace(key, "fieldViolations", "fields", 1)] = fields[key]
		}
	}
	return outcome, nil
}

func detail[M proto.Message](details []*anypb.Any) (M, bool) {
	for _, each := range details {
		if message, err := each.UnmarshalNew(); err == nil {
			if found, ok := message.(M); ok {
				return found, true
			}
		}
	}
	var none M
	return none, false
}

func orNil[M proto.Message](details []*anypb.Any) proto.Message {
	if found, ok := detail[M](details); ok {
		return found
	}
	return nil
}

// toJSON writes a message in the JSON mapping, with its defaults, and reads that as plain JSON.
func toJSON(message proto.Message) (any, error) {
	data, err := protojson.Marshal(message)
	if err != nil {
		return nil, err
	}
	return decode(data)
}
