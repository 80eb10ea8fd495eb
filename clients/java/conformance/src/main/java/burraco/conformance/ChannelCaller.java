package burraco.conformance;

import burraco.RulesException;
import burraco.v1.ArbiterServiceGrpc;
import burraco.v1.GameServiceGrpc;
import burraco.v1.Reason;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.Durations;
import com.google.protobuf.util.JsonFormat;
import io.grpc.CallOptions;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Makes the calls of vectors by the generated code: JSON in, JSON out. */
public final class ChannelCaller implements Caller, AutoCloseable {
  private static final long SECONDS = 30;

  private final UnaryCall call;
  private final Map<String, ManagedChannel> channels = new HashMap<>();
  private final Map<String, MethodDescriptor<?, ?>> methods = new HashMap<>();

  /** The servers of the two services; that of the arbiter may be null. */
  public ChannelCaller(UnaryCall call, String target, String arbiterTarget) {
    this.call = call;
    add(GameServiceGrpc.getServiceDescriptor(), target);
    if (arbiterTarget != null) {
      add(ArbiterServiceGrpc.getServiceDescriptor(), arbiterTarget);
    }
  }

  private void add(ServiceDescriptor service, String target) {
    channels.put(
        service.getName(),
        Grpc.newChannelBuilder(target, InsecureChannelCredentials.create()).disableRetry().build());
    service.getMethods().forEach(method -> methods.put(method.getFullMethodName(), method));
  }

  @Override
  public JsonObject call(String rpc, Map<String, String> metadata, JsonObject request, byte[] raw) {
    MethodDescriptor<?, ?> method = methods.get(rpc);
    if (method == null) {
      throw new IllegalArgumentException("the generated code has no RPC '" + rpc + "'");
    }
    Metadata headers = new Metadata();
    metadata.forEach((name, value) ->
        headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value));
    try {
      Message answer = raw == null
          ? (Message) send(method, headers, read(request, method))
          : (Message) send(method.toBuilder(Bytes.INSTANCE, method.getResponseMarshaller()).build(), headers, raw);
      JsonObject outcome = new JsonObject();
      outcome.addProperty("code", "OK");
      outcome.add("answer", JsonParser.parseString(JsonFormat.printer().print(answer)));
      return outcome;
    } catch (StatusRuntimeException failure) {
      return failure(RulesException.of(failure));
    } catch (InvalidProtocolBufferException unfit) {
      throw new UncheckedIOException("the JSON of " + rpc + " does not fit its message", unfit);
    }
  }

  @SuppressWarnings("unchecked") // the request was made by the method's own prototype
  private Object send(MethodDescriptor<?, ?> method, Metadata headers, Object request) {
    ManagedChannel channel = channels.get(method.getServiceName());
    CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(SECONDS, TimeUnit.SECONDS);
    return call.call(channel, (MethodDescriptor<Object, Object>) method, options, headers, request);
  }

  private static Message read(JsonObject request, MethodDescriptor<?, ?> method)
      throws InvalidProtocolBufferException {
    PrototypeMarshaller<?> marshaller = (PrototypeMarshaller<?>) method.getRequestMarshaller();
    Message.Builder builder = ((Message) marshaller.getMessagePrototype()).newBuilderForType();
    JsonFormat.parser().merge(request.toString(), builder);
    return builder.build();
  }

  /** Without a reason of this service, gRPC itself refused the call, and nothing but the code is told. */
  private static JsonObject failure(RulesException failed) {
    JsonObject outcome = new JsonObject();
    outcome.addProperty("code", failed.code().name());
    if (failed.reason() == Reason.REASON_UNSPECIFIED) {
      return outcome;
    }
    outcome.addProperty("reason", failed.reason().name());
    outcome.addProperty("message", failed.description());
    JsonObject arguments = new JsonObject();
    new TreeMap<>(failed.arguments()).forEach(arguments::addProperty);
    if (arguments.size() > 0) {
      outcome.add("arguments", arguments);
    }
    JsonArray fields = new JsonArray();
    failed.fields().forEach(wrong -> {
      JsonObject field = new JsonObject();
      addText(field, "field", wrong.field());
      addText(field, "description", wrong.description());
      addText(field, "reason", wrong.reason() == Reason.REASON_UNSPECIFIED ? "" : wrong.reason().name());
      fields.add(field);
    });
    if (!fields.isEmpty()) {
      outcome.add("fields", fields);
    }
    failed.retryDelay().ifPresent(delay ->
        outcome.addProperty("retryDelay", Durations.toString(Durations.fromNanos(delay.toNanos()))));
    return outcome;
  }

  private static void addText(JsonObject field, String name, String text) {
    if (!text.isEmpty()) {
      field.addProperty(name, text);
    }
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
  }

  /** Sends bytes as they are, past the message classes. */
  private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
    INSTANCE;

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
  }
}
