package burraco.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Checks and applies moves. Every call is pure: it may be retried, and any replica answers it.
 * An illegal move is a normal answer (`rejected`, status OK). A call that cannot be understood, or that the caller has
 * no right to, ends with an RPC status whose details carry a Reason, see reasons.proto.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class GameServiceGrpc {

  private GameServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "burraco.v1.GameService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<burraco.v1.CommitSeedRequest,
      burraco.v1.CommitSeedResponse> getCommitSeedMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CommitSeed",
      requestType = burraco.v1.CommitSeedRequest.class,
      responseType = burraco.v1.CommitSeedResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.CommitSeedRequest,
      burraco.v1.CommitSeedResponse> getCommitSeedMethod() {
    io.grpc.MethodDescriptor<burraco.v1.CommitSeedRequest, burraco.v1.CommitSeedResponse> getCommitSeedMethod;
    if ((getCommitSeedMethod = GameServiceGrpc.getCommitSeedMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getCommitSeedMethod = GameServiceGrpc.getCommitSeedMethod) == null) {
          GameServiceGrpc.getCommitSeedMethod = getCommitSeedMethod =
              io.grpc.MethodDescriptor.<burraco.v1.CommitSeedRequest, burraco.v1.CommitSeedResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CommitSeed"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.CommitSeedRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.CommitSeedResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getCommitSeedMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.CreateMatchRequest,
      burraco.v1.CreateMatchResponse> getCreateMatchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateMatch",
      requestType = burraco.v1.CreateMatchRequest.class,
      responseType = burraco.v1.CreateMatchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.CreateMatchRequest,
      burraco.v1.CreateMatchResponse> getCreateMatchMethod() {
    io.grpc.MethodDescriptor<burraco.v1.CreateMatchRequest, burraco.v1.CreateMatchResponse> getCreateMatchMethod;
    if ((getCreateMatchMethod = GameServiceGrpc.getCreateMatchMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getCreateMatchMethod = GameServiceGrpc.getCreateMatchMethod) == null) {
          GameServiceGrpc.getCreateMatchMethod = getCreateMatchMethod =
              io.grpc.MethodDescriptor.<burraco.v1.CreateMatchRequest, burraco.v1.CreateMatchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateMatch"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.CreateMatchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.CreateMatchResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getCreateMatchMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.ApplyMovesRequest,
      burraco.v1.ApplyMovesResponse> getApplyMovesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ApplyMoves",
      requestType = burraco.v1.ApplyMovesRequest.class,
      responseType = burraco.v1.ApplyMovesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.ApplyMovesRequest,
      burraco.v1.ApplyMovesResponse> getApplyMovesMethod() {
    io.grpc.MethodDescriptor<burraco.v1.ApplyMovesRequest, burraco.v1.ApplyMovesResponse> getApplyMovesMethod;
    if ((getApplyMovesMethod = GameServiceGrpc.getApplyMovesMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getApplyMovesMethod = GameServiceGrpc.getApplyMovesMethod) == null) {
          GameServiceGrpc.getApplyMovesMethod = getApplyMovesMethod =
              io.grpc.MethodDescriptor.<burraco.v1.ApplyMovesRequest, burraco.v1.ApplyMovesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ApplyMoves"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ApplyMovesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ApplyMovesResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getApplyMovesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.CheckMovesRequest,
      burraco.v1.CheckMovesResponse> getCheckMovesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CheckMoves",
      requestType = burraco.v1.CheckMovesRequest.class,
      responseType = burraco.v1.CheckMovesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.CheckMovesRequest,
      burraco.v1.CheckMovesResponse> getCheckMovesMethod() {
    io.grpc.MethodDescriptor<burraco.v1.CheckMovesRequest, burraco.v1.CheckMovesResponse> getCheckMovesMethod;
    if ((getCheckMovesMethod = GameServiceGrpc.getCheckMovesMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getCheckMovesMethod = GameServiceGrpc.getCheckMovesMethod) == null) {
          GameServiceGrpc.getCheckMovesMethod = getCheckMovesMethod =
              io.grpc.MethodDescriptor.<burraco.v1.CheckMovesRequest, burraco.v1.CheckMovesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CheckMoves"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.CheckMovesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.CheckMovesResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getCheckMovesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.ListLegalMovesRequest,
      burraco.v1.ListLegalMovesResponse> getListLegalMovesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListLegalMoves",
      requestType = burraco.v1.ListLegalMovesRequest.class,
      responseType = burraco.v1.ListLegalMovesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.ListLegalMovesRequest,
      burraco.v1.ListLegalMovesResponse> getListLegalMovesMethod() {
    io.grpc.MethodDescriptor<burraco.v1.ListLegalMovesRequest, burraco.v1.ListLegalMovesResponse> getListLegalMovesMethod;
    if ((getListLegalMovesMethod = GameServiceGrpc.getListLegalMovesMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getListLegalMovesMethod = GameServiceGrpc.getListLegalMovesMethod) == null) {
          GameServiceGrpc.getListLegalMovesMethod = getListLegalMovesMethod =
              io.grpc.MethodDescriptor.<burraco.v1.ListLegalMovesRequest, burraco.v1.ListLegalMovesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListLegalMoves"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ListLegalMovesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ListLegalMovesResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getListLegalMovesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.GetViewRequest,
      burraco.v1.GetViewResponse> getGetViewMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetView",
      requestType = burraco.v1.GetViewRequest.class,
      responseType = burraco.v1.GetViewResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.GetViewRequest,
      burraco.v1.GetViewResponse> getGetViewMethod() {
    io.grpc.MethodDescriptor<burraco.v1.GetViewRequest, burraco.v1.GetViewResponse> getGetViewMethod;
    if ((getGetViewMethod = GameServiceGrpc.getGetViewMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getGetViewMethod = GameServiceGrpc.getGetViewMethod) == null) {
          GameServiceGrpc.getGetViewMethod = getGetViewMethod =
              io.grpc.MethodDescriptor.<burraco.v1.GetViewRequest, burraco.v1.GetViewResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetView"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.GetViewRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.GetViewResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getGetViewMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.ScoreDealRequest,
      burraco.v1.ScoreDealResponse> getScoreDealMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ScoreDeal",
      requestType = burraco.v1.ScoreDealRequest.class,
      responseType = burraco.v1.ScoreDealResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.ScoreDealRequest,
      burraco.v1.ScoreDealResponse> getScoreDealMethod() {
    io.grpc.MethodDescriptor<burraco.v1.ScoreDealRequest, burraco.v1.ScoreDealResponse> getScoreDealMethod;
    if ((getScoreDealMethod = GameServiceGrpc.getScoreDealMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getScoreDealMethod = GameServiceGrpc.getScoreDealMethod) == null) {
          GameServiceGrpc.getScoreDealMethod = getScoreDealMethod =
              io.grpc.MethodDescriptor.<burraco.v1.ScoreDealRequest, burraco.v1.ScoreDealResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ScoreDeal"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ScoreDealRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ScoreDealResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getScoreDealMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.ExplainMeldRequest,
      burraco.v1.ExplainMeldResponse> getExplainMeldMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ExplainMeld",
      requestType = burraco.v1.ExplainMeldRequest.class,
      responseType = burraco.v1.ExplainMeldResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.ExplainMeldRequest,
      burraco.v1.ExplainMeldResponse> getExplainMeldMethod() {
    io.grpc.MethodDescriptor<burraco.v1.ExplainMeldRequest, burraco.v1.ExplainMeldResponse> getExplainMeldMethod;
    if ((getExplainMeldMethod = GameServiceGrpc.getExplainMeldMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getExplainMeldMethod = GameServiceGrpc.getExplainMeldMethod) == null) {
          GameServiceGrpc.getExplainMeldMethod = getExplainMeldMethod =
              io.grpc.MethodDescriptor.<burraco.v1.ExplainMeldRequest, burraco.v1.ExplainMeldResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ExplainMeld"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ExplainMeldRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ExplainMeldResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getExplainMeldMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.SuggestMovesRequest,
      burraco.v1.SuggestMovesResponse> getSuggestMovesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SuggestMoves",
      requestType = burraco.v1.SuggestMovesRequest.class,
      responseType = burraco.v1.SuggestMovesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.SuggestMovesRequest,
      burraco.v1.SuggestMovesResponse> getSuggestMovesMethod() {
    io.grpc.MethodDescriptor<burraco.v1.SuggestMovesRequest, burraco.v1.SuggestMovesResponse> getSuggestMovesMethod;
    if ((getSuggestMovesMethod = GameServiceGrpc.getSuggestMovesMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getSuggestMovesMethod = GameServiceGrpc.getSuggestMovesMethod) == null) {
          GameServiceGrpc.getSuggestMovesMethod = getSuggestMovesMethod =
              io.grpc.MethodDescriptor.<burraco.v1.SuggestMovesRequest, burraco.v1.SuggestMovesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SuggestMoves"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.SuggestMovesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.SuggestMovesResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getSuggestMovesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.ReplayMatchRequest,
      burraco.v1.ReplayMatchResponse> getReplayMatchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReplayMatch",
      requestType = burraco.v1.ReplayMatchRequest.class,
      responseType = burraco.v1.ReplayMatchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.ReplayMatchRequest,
      burraco.v1.ReplayMatchResponse> getReplayMatchMethod() {
    io.grpc.MethodDescriptor<burraco.v1.ReplayMatchRequest, burraco.v1.ReplayMatchResponse> getReplayMatchMethod;
    if ((getReplayMatchMethod = GameServiceGrpc.getReplayMatchMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getReplayMatchMethod = GameServiceGrpc.getReplayMatchMethod) == null) {
          GameServiceGrpc.getReplayMatchMethod = getReplayMatchMethod =
              io.grpc.MethodDescriptor.<burraco.v1.ReplayMatchRequest, burraco.v1.ReplayMatchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReplayMatch"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ReplayMatchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ReplayMatchResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getReplayMatchMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.StreamApplyMovesRequest,
      burraco.v1.StreamApplyMovesResponse> getStreamApplyMovesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "StreamApplyMoves",
      requestType = burraco.v1.StreamApplyMovesRequest.class,
      responseType = burraco.v1.StreamApplyMovesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
  public static io.grpc.MethodDescriptor<burraco.v1.StreamApplyMovesRequest,
      burraco.v1.StreamApplyMovesResponse> getStreamApplyMovesMethod() {
    io.grpc.MethodDescriptor<burraco.v1.StreamApplyMovesRequest, burraco.v1.StreamApplyMovesResponse> getStreamApplyMovesMethod;
    if ((getStreamApplyMovesMethod = GameServiceGrpc.getStreamApplyMovesMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getStreamApplyMovesMethod = GameServiceGrpc.getStreamApplyMovesMethod) == null) {
          GameServiceGrpc.getStreamApplyMovesMethod = getStreamApplyMovesMethod =
              io.grpc.MethodDescriptor.<burraco.v1.StreamApplyMovesRequest, burraco.v1.StreamApplyMovesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "StreamApplyMoves"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.StreamApplyMovesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.StreamApplyMovesResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getStreamApplyMovesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.IssueSeatTokenRequest,
      burraco.v1.IssueSeatTokenResponse> getIssueSeatTokenMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "IssueSeatToken",
      requestType = burraco.v1.IssueSeatTokenRequest.class,
      responseType = burraco.v1.IssueSeatTokenResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.IssueSeatTokenRequest,
      burraco.v1.IssueSeatTokenResponse> getIssueSeatTokenMethod() {
    io.grpc.MethodDescriptor<burraco.v1.IssueSeatTokenRequest, burraco.v1.IssueSeatTokenResponse> getIssueSeatTokenMethod;
    if ((getIssueSeatTokenMethod = GameServiceGrpc.getIssueSeatTokenMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getIssueSeatTokenMethod = GameServiceGrpc.getIssueSeatTokenMethod) == null) {
          GameServiceGrpc.getIssueSeatTokenMethod = getIssueSeatTokenMethod =
              io.grpc.MethodDescriptor.<burraco.v1.IssueSeatTokenRequest, burraco.v1.IssueSeatTokenResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "IssueSeatToken"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.IssueSeatTokenRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.IssueSeatTokenResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getIssueSeatTokenMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.ListPresetsRequest,
      burraco.v1.ListPresetsResponse> getListPresetsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListPresets",
      requestType = burraco.v1.ListPresetsRequest.class,
      responseType = burraco.v1.ListPresetsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.ListPresetsRequest,
      burraco.v1.ListPresetsResponse> getListPresetsMethod() {
    io.grpc.MethodDescriptor<burraco.v1.ListPresetsRequest, burraco.v1.ListPresetsResponse> getListPresetsMethod;
    if ((getListPresetsMethod = GameServiceGrpc.getListPresetsMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getListPresetsMethod = GameServiceGrpc.getListPresetsMethod) == null) {
          GameServiceGrpc.getListPresetsMethod = getListPresetsMethod =
              io.grpc.MethodDescriptor.<burraco.v1.ListPresetsRequest, burraco.v1.ListPresetsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListPresets"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ListPresetsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.ListPresetsResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getListPresetsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<burraco.v1.GetRulesRequest,
      burraco.v1.GetRulesResponse> getGetRulesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetRules",
      requestType = burraco.v1.GetRulesRequest.class,
      responseType = burraco.v1.GetRulesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<burraco.v1.GetRulesRequest,
      burraco.v1.GetRulesResponse> getGetRulesMethod() {
    io.grpc.MethodDescriptor<burraco.v1.GetRulesRequest, burraco.v1.GetRulesResponse> getGetRulesMethod;
    if ((getGetRulesMethod = GameServiceGrpc.getGetRulesMethod) == null) {
      synchronized (GameServiceGrpc.class) {
        if ((getGetRulesMethod = GameServiceGrpc.getGetRulesMethod) == null) {
          GameServiceGrpc.getGetRulesMethod = getGetRulesMethod =
              io.grpc.MethodDescriptor.<burraco.v1.GetRulesRequest, burraco.v1.GetRulesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetRules"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.GetRulesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.lite.ProtoLiteUtils.marshaller(
                  burraco.v1.GetRulesResponse.getDefaultInstance()))
              .build();
        }
      }
    }
    return getGetRulesMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static GameServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<GameServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<GameServiceStub>() {
        @java.lang.Override
        public GameServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new GameServiceStub(channel, callOptions);
        }
      };
    return GameServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static GameServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<GameServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<GameServiceBlockingV2Stub>() {
        @java.lang.Override
        public GameServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new GameServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return GameServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static GameServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<GameServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<GameServiceBlockingStub>() {
        @java.lang.Override
        public GameServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new GameServiceBlockingStub(channel, callOptions);
        }
      };
    return GameServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static GameServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<GameServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<GameServiceFutureStub>() {
        @java.lang.Override
        public GameServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new GameServiceFutureStub(channel, callOptions);
        }
      };
    return GameServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Checks and applies moves. Every call is pure: it may be retried, and any replica answers it.
   * An illegal move is a normal answer (`rejected`, status OK). A call that cannot be understood, or that the caller has
   * no right to, ends with an RPC status whose details carry a Reason, see reasons.proto.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Draws a seed and returns it sealed, with a salted hash to publish before players add their entropy.
     * </pre>
     */
    default void commitSeed(burraco.v1.CommitSeedRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.CommitSeedResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCommitSeedMethod(), responseObserver);
    }

    /**
     * <pre>
     * Seats the players, deals the first deal and returns the state.
     * </pre>
     */
    default void createMatch(burraco.v1.CreateMatchRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.CreateMatchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateMatchMethod(), responseObserver);
    }

    /**
     * <pre>
     * Applies one or more moves of one seat, all or none.
     * </pre>
     */
    default void applyMoves(burraco.v1.ApplyMovesRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ApplyMovesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getApplyMovesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Says whether moves would be accepted, without applying them. No move may follow one that reveals a hidden card.
     * </pre>
     */
    default void checkMoves(burraco.v1.CheckMovesRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.CheckMovesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCheckMovesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists every legal move of a seat.
     * </pre>
     */
    default void listLegalMoves(burraco.v1.ListLegalMovesRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ListLegalMovesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListLegalMovesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Shows what one viewer may know.
     * </pre>
     */
    default void getView(burraco.v1.GetViewRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.GetViewResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetViewMethod(), responseObserver);
    }

    /**
     * <pre>
     * Counts a finished deal, or melds and hands alone.
     * </pre>
     */
    default void scoreDeal(burraco.v1.ScoreDealRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ScoreDealResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getScoreDealMethod(), responseObserver);
    }

    /**
     * <pre>
     * Says what a selection of cards is, or why it is nothing.
     * </pre>
     */
    default void explainMeld(burraco.v1.ExplainMeldRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ExplainMeldResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getExplainMeldMethod(), responseObserver);
    }

    /**
     * <pre>
     * Says what a bot would play. Not built yet: answers UNIMPLEMENTED.
     * </pre>
     */
    default void suggestMoves(burraco.v1.SuggestMovesRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.SuggestMovesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSuggestMovesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Plays a recorded match again and verifies it. Back ends only.
     * </pre>
     */
    default void replayMatch(burraco.v1.ReplayMatchRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ReplayMatchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReplayMatchMethod(), responseObserver);
    }

    /**
     * <pre>
     * ApplyMoves for back ends that pipeline: each message is an ApplyMoves of its own, answered in order. One that fails is
     * answered with its status, and the stream goes on; the server reads the next when the last is answered. Back ends only.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<burraco.v1.StreamApplyMovesRequest> streamApplyMoves(
        io.grpc.stub.StreamObserver<burraco.v1.StreamApplyMovesResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getStreamApplyMovesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Renews or revokes a seat's token. Back ends only.
     * </pre>
     */
    default void issueSeatToken(burraco.v1.IssueSeatTokenRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.IssueSeatTokenResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getIssueSeatTokenMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the presets.
     * </pre>
     */
    default void listPresets(burraco.v1.ListPresetsRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ListPresetsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListPresetsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Shows effective rules, with every option described.
     * </pre>
     */
    default void getRules(burraco.v1.GetRulesRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.GetRulesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetRulesMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service GameService.
   * <pre>
   * Checks and applies moves. Every call is pure: it may be retried, and any replica answers it.
   * An illegal move is a normal answer (`rejected`, status OK). A call that cannot be understood, or that the caller has
   * no right to, ends with an RPC status whose details carry a Reason, see reasons.proto.
   * </pre>
   */
  public static abstract class GameServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return GameServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service GameService.
   * <pre>
   * Checks and applies moves. Every call is pure: it may be retried, and any replica answers it.
   * An illegal move is a normal answer (`rejected`, status OK). A call that cannot be understood, or that the caller has
   * no right to, ends with an RPC status whose details carry a Reason, see reasons.proto.
   * </pre>
   */
  public static final class GameServiceStub
      extends io.grpc.stub.AbstractAsyncStub<GameServiceStub> {
    private GameServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected GameServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new GameServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Draws a seed and returns it sealed, with a salted hash to publish before players add their entropy.
     * </pre>
     */
    public void commitSeed(burraco.v1.CommitSeedRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.CommitSeedResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCommitSeedMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Seats the players, deals the first deal and returns the state.
     * </pre>
     */
    public void createMatch(burraco.v1.CreateMatchRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.CreateMatchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateMatchMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Applies one or more moves of one seat, all or none.
     * </pre>
     */
    public void applyMoves(burraco.v1.ApplyMovesRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ApplyMovesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getApplyMovesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Says whether moves would be accepted, without applying them. No move may follow one that reveals a hidden card.
     * </pre>
     */
    public void checkMoves(burraco.v1.CheckMovesRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.CheckMovesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCheckMovesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists every legal move of a seat.
     * </pre>
     */
    public void listLegalMoves(burraco.v1.ListLegalMovesRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ListLegalMovesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListLegalMovesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Shows what one viewer may know.
     * </pre>
     */
    public void getView(burraco.v1.GetViewRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.GetViewResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetViewMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Counts a finished deal, or melds and hands alone.
     * </pre>
     */
    public void scoreDeal(burraco.v1.ScoreDealRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ScoreDealResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getScoreDealMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Says what a selection of cards is, or why it is nothing.
     * </pre>
     */
    public void explainMeld(burraco.v1.ExplainMeldRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ExplainMeldResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getExplainMeldMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Says what a bot would play. Not built yet: answers UNIMPLEMENTED.
     * </pre>
     */
    public void suggestMoves(burraco.v1.SuggestMovesRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.SuggestMovesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSuggestMovesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Plays a recorded match again and verifies it. Back ends only.
     * </pre>
     */
    public void replayMatch(burraco.v1.ReplayMatchRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ReplayMatchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReplayMatchMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ApplyMoves for back ends that pipeline: each message is an ApplyMoves of its own, answered in order. One that fails is
     * answered with its status, and the stream goes on; the server reads the next when the last is answered. Back ends only.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<burraco.v1.StreamApplyMovesRequest> streamApplyMoves(
        io.grpc.stub.StreamObserver<burraco.v1.StreamApplyMovesResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncBidiStreamingCall(
          getChannel().newCall(getStreamApplyMovesMethod(), getCallOptions()), responseObserver);
    }

    /**
     * <pre>
     * Renews or revokes a seat's token. Back ends only.
     * </pre>
     */
    public void issueSeatToken(burraco.v1.IssueSeatTokenRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.IssueSeatTokenResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getIssueSeatTokenMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the presets.
     * </pre>
     */
    public void listPresets(burraco.v1.ListPresetsRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.ListPresetsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListPresetsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Shows effective rules, with every option described.
     * </pre>
     */
    public void getRules(burraco.v1.GetRulesRequest request,
        io.grpc.stub.StreamObserver<burraco.v1.GetRulesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetRulesMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service GameService.
   * <pre>
   * Checks and applies moves. Every call is pure: it may be retried, and any replica answers it.
   * An illegal move is a normal answer (`rejected`, status OK). A call that cannot be understood, or that the caller has
   * no right to, ends with an RPC status whose details carry a Reason, see reasons.proto.
   * </pre>
   */
  public static final class GameServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<GameServiceBlockingV2Stub> {
    private GameServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected GameServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new GameServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Draws a seed and returns it sealed, with a salted hash to publish before players add their entropy.
     * </pre>
     */
    public burraco.v1.CommitSeedResponse commitSeed(burraco.v1.CommitSeedRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCommitSeedMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Seats the players, deals the first deal and returns the state.
     * </pre>
     */
    public burraco.v1.CreateMatchResponse createMatch(burraco.v1.CreateMatchRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateMatchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Applies one or more moves of one seat, all or none.
     * </pre>
     */
    public burraco.v1.ApplyMovesResponse applyMoves(burraco.v1.ApplyMovesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getApplyMovesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Says whether moves would be accepted, without applying them. No move may follow one that reveals a hidden card.
     * </pre>
     */
    public burraco.v1.CheckMovesResponse checkMoves(burraco.v1.CheckMovesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCheckMovesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists every legal move of a seat.
     * </pre>
     */
    public burraco.v1.ListLegalMovesResponse listLegalMoves(burraco.v1.ListLegalMovesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListLegalMovesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Shows what one viewer may know.
     * </pre>
     */
    public burraco.v1.GetViewResponse getView(burraco.v1.GetViewRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetViewMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Counts a finished deal, or melds and hands alone.
     * </pre>
     */
    public burraco.v1.ScoreDealResponse scoreDeal(burraco.v1.ScoreDealRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getScoreDealMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Says what a selection of cards is, or why it is nothing.
     * </pre>
     */
    public burraco.v1.ExplainMeldResponse explainMeld(burraco.v1.ExplainMeldRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getExplainMeldMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Says what a bot would play. Not built yet: answers UNIMPLEMENTED.
     * </pre>
     */
    public burraco.v1.SuggestMovesResponse suggestMoves(burraco.v1.SuggestMovesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSuggestMovesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Plays a recorded match again and verifies it. Back ends only.
     * </pre>
     */
    public burraco.v1.ReplayMatchResponse replayMatch(burraco.v1.ReplayMatchRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReplayMatchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ApplyMoves for back ends that pipeline: each message is an ApplyMoves of its own, answered in order. One that fails is
     * answered with its status, and the stream goes on; the server reads the next when the last is answered. Back ends only.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<burraco.v1.StreamApplyMovesRequest, burraco.v1.StreamApplyMovesResponse>
        streamApplyMoves() {
      return io.grpc.stub.ClientCalls.blockingBidiStreamingCall(
          getChannel(), getStreamApplyMovesMethod(), getCallOptions());
    }

    /**
     * <pre>
     * Renews or revokes a seat's token. Back ends only.
     * </pre>
     */
    public burraco.v1.IssueSeatTokenResponse issueSeatToken(burraco.v1.IssueSeatTokenRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getIssueSeatTokenMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the presets.
     * </pre>
     */
    public burraco.v1.ListPresetsResponse listPresets(burraco.v1.ListPresetsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListPresetsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Shows effective rules, with every option described.
     * </pre>
     */
    public burraco.v1.GetRulesResponse getRules(burraco.v1.GetRulesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetRulesMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service GameService.
   * <pre>
   * Checks and applies moves. Every call is pure: it may be retried, and any replica answers it.
   * An illegal move is a normal answer (`rejected`, status OK). A call that cannot be understood, or that the caller has
   * no right to, ends with an RPC status whose details carry a Reason, see reasons.proto.
   * </pre>
   */
  public static final class GameServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<GameServiceBlockingStub> {
    private GameServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected GameServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new GameServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Draws a seed and returns it sealed, with a salted hash to publish before players add their entropy.
     * </pre>
     */
    public burraco.v1.CommitSeedResponse commitSeed(burraco.v1.CommitSeedRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCommitSeedMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Seats the players, deals the first deal and returns the state.
     * </pre>
     */
    public burraco.v1.CreateMatchResponse createMatch(burraco.v1.CreateMatchRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateMatchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Applies one or more moves of one seat, all or none.
     * </pre>
     */
    public burraco.v1.ApplyMovesResponse applyMoves(burraco.v1.ApplyMovesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getApplyMovesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Says whether moves would be accepted, without applying them. No move may follow one that reveals a hidden card.
     * </pre>
     */
    public burraco.v1.CheckMovesResponse checkMoves(burraco.v1.CheckMovesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCheckMovesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists every legal move of a seat.
     * </pre>
     */
    public burraco.v1.ListLegalMovesResponse listLegalMoves(burraco.v1.ListLegalMovesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListLegalMovesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Shows what one viewer may know.
     * </pre>
     */
    public burraco.v1.GetViewResponse getView(burraco.v1.GetViewRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetViewMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Counts a finished deal, or melds and hands alone.
     * </pre>
     */
    public burraco.v1.ScoreDealResponse scoreDeal(burraco.v1.ScoreDealRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getScoreDealMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Says what a selection of cards is, or why it is nothing.
     * </pre>
     */
    public burraco.v1.ExplainMeldResponse explainMeld(burraco.v1.ExplainMeldRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getExplainMeldMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Says what a bot would play. Not built yet: answers UNIMPLEMENTED.
     * </pre>
     */
    public burraco.v1.SuggestMovesResponse suggestMoves(burraco.v1.SuggestMovesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSuggestMovesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Plays a recorded match again and verifies it. Back ends only.
     * </pre>
     */
    public burraco.v1.ReplayMatchResponse replayMatch(burraco.v1.ReplayMatchRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReplayMatchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Renews or revokes a seat's token. Back ends only.
     * </pre>
     */
    public burraco.v1.IssueSeatTokenResponse issueSeatToken(burraco.v1.IssueSeatTokenRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getIssueSeatTokenMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the presets.
     * </pre>
     */
    public burraco.v1.ListPresetsResponse listPresets(burraco.v1.ListPresetsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListPresetsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Shows effective rules, with every option described.
     * </pre>
     */
    public burraco.v1.GetRulesResponse getRules(burraco.v1.GetRulesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetRulesMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service GameService.
   * <pre>
   * Checks and applies moves. Every call is pure: it may be retried, and any replica answers it.
   * An illegal move is a normal answer (`rejected`, status OK). A call that cannot be understood, or that the caller has
   * no right to, ends with an RPC status whose details carry a Reason, see reasons.proto.
   * </pre>
   */
  public static final class GameServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<GameServiceFutureStub> {
    private GameServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected GameServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new GameServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Draws a seed and returns it sealed, with a salted hash to publish before players add their entropy.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.CommitSeedResponse> commitSeed(
        burraco.v1.CommitSeedRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCommitSeedMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Seats the players, deals the first deal and returns the state.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.CreateMatchResponse> createMatch(
        burraco.v1.CreateMatchRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateMatchMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Applies one or more moves of one seat, all or none.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.ApplyMovesResponse> applyMoves(
        burraco.v1.ApplyMovesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getApplyMovesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Says whether moves would be accepted, without applying them. No move may follow one that reveals a hidden card.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.CheckMovesResponse> checkMoves(
        burraco.v1.CheckMovesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCheckMovesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists every legal move of a seat.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.ListLegalMovesResponse> listLegalMoves(
        burraco.v1.ListLegalMovesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListLegalMovesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Shows what one viewer may know.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.GetViewResponse> getView(
        burraco.v1.GetViewRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetViewMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Counts a finished deal, or melds and hands alone.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.ScoreDealResponse> scoreDeal(
        burraco.v1.ScoreDealRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getScoreDealMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Says what a selection of cards is, or why it is nothing.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.ExplainMeldResponse> explainMeld(
        burraco.v1.ExplainMeldRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getExplainMeldMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Says what a bot would play. Not built yet: answers UNIMPLEMENTED.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.SuggestMovesResponse> suggestMoves(
        burraco.v1.SuggestMovesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSuggestMovesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Plays a recorded match again and verifies it. Back ends only.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.ReplayMatchResponse> replayMatch(
        burraco.v1.ReplayMatchRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReplayMatchMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Renews or revokes a seat's token. Back ends only.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.IssueSeatTokenResponse> issueSeatToken(
        burraco.v1.IssueSeatTokenRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getIssueSeatTokenMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the presets.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.ListPresetsResponse> listPresets(
        burraco.v1.ListPresetsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListPresetsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Shows effective rules, with every option described.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<burraco.v1.GetRulesResponse> getRules(
        burraco.v1.GetRulesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetRulesMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_COMMIT_SEED = 0;
  private static final int METHODID_CREATE_MATCH = 1;
  private static final int METHODID_APPLY_MOVES = 2;
  private static final int METHODID_CHECK_MOVES = 3;
  private static final int METHODID_LIST_LEGAL_MOVES = 4;
  private static final int METHODID_GET_VIEW = 5;
  private static final int METHODID_SCORE_DEAL = 6;
  private static final int METHODID_EXPLAIN_MELD = 7;
  private static final int METHODID_SUGGEST_MOVES = 8;
  private static final int METHODID_REPLAY_MATCH = 9;
  private static final int METHODID_ISSUE_SEAT_TOKEN = 10;
  private static final int METHODID_LIST_PRESETS = 11;
  private static final int METHODID_GET_RULES = 12;
  private static final int METHODID_STREAM_APPLY_MOVES = 13;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_COMMIT_SEED:
          serviceImpl.commitSeed((burraco.v1.CommitSeedRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.CommitSeedResponse>) responseObserver);
          break;
        case METHODID_CREATE_MATCH:
          serviceImpl.createMatch((burraco.v1.CreateMatchRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.CreateMatchResponse>) responseObserver);
          break;
        case METHODID_APPLY_MOVES:
          serviceImpl.applyMoves((burraco.v1.ApplyMovesRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.ApplyMovesResponse>) responseObserver);
          break;
        case METHODID_CHECK_MOVES:
          serviceImpl.checkMoves((burraco.v1.CheckMovesRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.CheckMovesResponse>) responseObserver);
          break;
        case METHODID_LIST_LEGAL_MOVES:
          serviceImpl.listLegalMoves((burraco.v1.ListLegalMovesRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.ListLegalMovesResponse>) responseObserver);
          break;
        case METHODID_GET_VIEW:
          serviceImpl.getView((burraco.v1.GetViewRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.GetViewResponse>) responseObserver);
          break;
        case METHODID_SCORE_DEAL:
          serviceImpl.scoreDeal((burraco.v1.ScoreDealRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.ScoreDealResponse>) responseObserver);
          break;
        case METHODID_EXPLAIN_MELD:
          serviceImpl.explainMeld((burraco.v1.ExplainMeldRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.ExplainMeldResponse>) responseObserver);
          break;
        case METHODID_SUGGEST_MOVES:
          serviceImpl.suggestMoves((burraco.v1.SuggestMovesRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.SuggestMovesResponse>) responseObserver);
          break;
        case METHODID_REPLAY_MATCH:
          serviceImpl.replayMatch((burraco.v1.ReplayMatchRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.ReplayMatchResponse>) responseObserver);
          break;
        case METHODID_ISSUE_SEAT_TOKEN:
          serviceImpl.issueSeatToken((burraco.v1.IssueSeatTokenRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.IssueSeatTokenResponse>) responseObserver);
          break;
        case METHODID_LIST_PRESETS:
          serviceImpl.listPresets((burraco.v1.ListPresetsRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.ListPresetsResponse>) responseObserver);
          break;
        case METHODID_GET_RULES:
          serviceImpl.getRules((burraco.v1.GetRulesRequest) request,
              (io.grpc.stub.StreamObserver<burraco.v1.GetRulesResponse>) responseObserver);
          break;
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_STREAM_APPLY_MOVES:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.streamApplyMoves(
              (io.grpc.stub.StreamObserver<burraco.v1.StreamApplyMovesResponse>) responseObserver);
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getCommitSeedMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.CommitSeedRequest,
              burraco.v1.CommitSeedResponse>(
                service, METHODID_COMMIT_SEED)))
        .addMethod(
          getCreateMatchMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.CreateMatchRequest,
              burraco.v1.CreateMatchResponse>(
                service, METHODID_CREATE_MATCH)))
        .addMethod(
          getApplyMovesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.ApplyMovesRequest,
              burraco.v1.ApplyMovesResponse>(
                service, METHODID_APPLY_MOVES)))
        .addMethod(
          getCheckMovesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.CheckMovesRequest,
              burraco.v1.CheckMovesResponse>(
                service, METHODID_CHECK_MOVES)))
        .addMethod(
          getListLegalMovesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.ListLegalMovesRequest,
              burraco.v1.ListLegalMovesResponse>(
                service, METHODID_LIST_LEGAL_MOVES)))
        .addMethod(
          getGetViewMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.GetViewRequest,
              burraco.v1.GetViewResponse>(
                service, METHODID_GET_VIEW)))
        .addMethod(
          getScoreDealMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.ScoreDealRequest,
              burraco.v1.ScoreDealResponse>(
                service, METHODID_SCORE_DEAL)))
        .addMethod(
          getExplainMeldMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.ExplainMeldRequest,
              burraco.v1.ExplainMeldResponse>(
                service, METHODID_EXPLAIN_MELD)))
        .addMethod(
          getSuggestMovesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.SuggestMovesRequest,
              burraco.v1.SuggestMovesResponse>(
                service, METHODID_SUGGEST_MOVES)))
        .addMethod(
          getReplayMatchMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.ReplayMatchRequest,
              burraco.v1.ReplayMatchResponse>(
                service, METHODID_REPLAY_MATCH)))
        .addMethod(
          getStreamApplyMovesMethod(),
          io.grpc.stub.ServerCalls.asyncBidiStreamingCall(
            new MethodHandlers<
              burraco.v1.StreamApplyMovesRequest,
              burraco.v1.StreamApplyMovesResponse>(
                service, METHODID_STREAM_APPLY_MOVES)))
        .addMethod(
          getIssueSeatTokenMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.IssueSeatTokenRequest,
              burraco.v1.IssueSeatTokenResponse>(
                service, METHODID_ISSUE_SEAT_TOKEN)))
        .addMethod(
          getListPresetsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.ListPresetsRequest,
              burraco.v1.ListPresetsResponse>(
                service, METHODID_LIST_PRESETS)))
        .addMethod(
          getGetRulesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              burraco.v1.GetRulesRequest,
              burraco.v1.GetRulesResponse>(
                service, METHODID_GET_RULES)))
        .build();
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (GameServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .addMethod(getCommitSeedMethod())
              .addMethod(getCreateMatchMethod())
              .addMethod(getApplyMovesMethod())
              .addMethod(getCheckMovesMethod())
              .addMethod(getListLegalMovesMethod())
              .addMethod(getGetViewMethod())
              .addMethod(getScoreDealMethod())
              .addMethod(getExplainMeldMethod())
              .addMethod(getSuggestMovesMethod())
              .addMethod(getReplayMatchMethod())
              .addMethod(getStreamApplyMovesMethod())
              .addMethod(getIssueSeatTokenMethod())
              .addMethod(getListPresetsMethod())
              .addMethod(getGetRulesMethod())
              .build();
        }
      }
    }
    return result;
  }
}
