package burraco;

import burraco.v1.GameServiceGrpc;
import burraco.v1.GameServiceGrpc.GameServiceBlockingStub;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A connection to the service, with the deadline, retries and load balancing that the service recommends; many threads
 * may share one.
 *
 * <p>Every generated stub can be made on {@link #channel}: its calls have the deadline and say who calls.
 */
public final class Burraco implements AutoCloseable {
  private static final Metadata.Key<String> API_KEY =
      Metadata.Key.of("burraco-api-key", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> SEAT_TOKEN =
      Metadata.Key.of("burraco-seat-token", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> LANGUAGE =
      Metadata.Key.of("accept-language", Metadata.ASCII_STRING_MARSHALLER);
  private static final long CLOSING_SECONDS = 5;

  private final String target;
  private final ManagedChannel connection;
  private final boolean owner;
  private final Duration timeout;
  private final Metadata who;
  private final Metadata language;
  private final Channel channel;
  private final GameServiceBlockingStub stub;

  private Burraco(
      String target, ManagedChannel connection, boolean owner, Duration timeout, Metadata who, Metadata language) {
    this.target = target;
    this.connection = connection;
    this.owner = owner;
    this.timeout = timeout;
    this.who = who;
    this.language = language;
    this.channel = ClientInterceptors.intercept(
        connection,
        new DeadlineInterceptor(timeout),
        new CancellationInterceptor(),
        MetadataUtils.newAttachHeadersInterceptor(who),
        MetadataUtils.newAttachHeadersInterceptor(language));
    this.stub = GameServiceGrpc.newBlockingStub(channel);
  }

  /**
   * Connects without encryption, as who the network says the caller is; the connection itself is made by the first
   * call.
   */
  public static Burraco connect(String target) {
    return builder(target).connect();
  }

  /** Begins a connection to {@code HOST:PORT}, or to a name such as {@code dns:///burraco.internal:50051}. */
  public static Builder builder(String target) {
    return new Builder(target);
  }

  /** The channel for generated stubs: its calls have the deadline and say who calls. */
  public Channel channel() {
    return channel;
  }

  /** The generated stub. Its calls fail with {@link StatusRuntimeException}; those of {@link #call} do not. */
  public GameServiceBlockingStub stub() {
    return stub;
  }

  /**
   * Makes a call of the stub: {@code client.call(stub -> stub.getRules(request))}.
   *
   * @throws RulesException if the call fails
   */
  public <T> T call(Function<? super GameServiceBlockingStub, ? extends T> call) {
    try {
      return call.apply(stub);
    } catch (StatusRuntimeException failure) {
      throw RulesException.of(failure);
    }
  }

  /**
   * Makes a client on the same connection that is a seat: it acts for that seat alone, whatever this one may do. All
   * else is as it is here. The connection stays this client's; closing the other leaves it open.
   *
   * @throws IllegalArgumentException if the token has a character that metadata cannot carry
   */
  public Burraco asSeat(String seatToken) {
    return new Burraco(target, connection, false, timeout, header(SEAT_TOKEN, seatToken), language);
  }

  /**
   * Makes a client on the same connection that asks for texts in another language, as {@link Builder#language} says it;
   * null is none. All else is as it is here. The connection stays this client's; closing the other leaves it open.
   *
   * @throws IllegalArgumentException if the language has a character that metadata cannot carry
   */
  public Burraco inLanguage(String language) {
    return new Burraco(target, connection, false, timeout, who, spoken(language));
  }

  /** Connects, and waits until that is done; false if it is not within this time. */
  public boolean awaitReady(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    for (ConnectivityState state = connection.getState(true);
        state != ConnectivityState.READY;
        state = connection.getState(true)) {
      CountDownLatch changed = new CountDownLatch(1);
      connection.notifyWhenStateChanged(state, changed::countDown);
      if (state == ConnectivityState.SHUTDOWN || !changed.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return false;
      }
    }
    return true;
  }

  /** Ends the connection; calls under way have five seconds to end. */
  @Override
  public void close() {
    if (!owner) {
      return;
    }
    connection.shutdown();
    try {
      connection.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      connection.shutdownNow();
    }
  }

  /** The target alone: keys and tokens are secrets. */
  @Override
  public String toString() {
    return "Burraco[" + target + "]";
  }

  private static Metadata spoken(String language) {
    return language == null || language.isEmpty() ? new Metadata() : header(LANGUAGE, language);
  }

  /** gRPC would send another value without a word, or fail every call. */
  private static Metadata header(Metadata.Key<String> key, String value) {
    for (int at = 0; at < value.length(); at++) {
      if (value.charAt(at) < ' ' || value.charAt(at) > '~') {
        throw new IllegalArgumentException(
            key.name() + " has a character, at index " + at + ", that metadata cannot carry: is a line's end in it?");
      }
    }
    Metadata header = new Metadata();
    header.put(key, value);
    return header;
  }

  /** What a connection is to be like. */
  public static final class Builder {
    /** What stands for ever: gRPC counts deadlines in nanoseconds, and no further than this. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Duration KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(10);

    private final String target;
    private Duration timeout = Duration.ofSeconds(3);
    private ChannelCredentials credentials = InsecureChannelCredentials.create();
    private Duration keepAlive;
    private String seatToken;
    private String apiKey;
    private String language;
    private Consumer<? super ManagedChannelBuilder<?>> options = channel -> {};

    private Builder(String target) {
      this.target = Objects.requireNonNull(target, "target");
    }

    /** The deadline of each call, its retries included; 3 seconds unless set. */
    public Builder timeout(Duration timeout) {
      this.timeout = lasting("timeout", timeout);
      return this;
    }

    /** Encrypts, and trusts the servers that the system's certificate authorities vouch for. */
    public Builder tls() {
      return credentials(TlsChannelCredentials.create());
    }

    /** Encrypts as the credentials say: with authorities or a client certificate of one's own. */
    public Builder credentials(ChannelCredentials credentials) {
      this.credentials = Objects.requireNonNull(credentials, "credentials");
      return this;
    }

    /** Pings a silent connection this often, so that a lost one is noticed: 30 seconds suit phones. */
    public Builder keepAlive(Duration interval) {
      this.keepAlive = lasting("keepAlive", interval);
      return this;
    }

    /** Calls as the player whose token this is. A secret: send it over nothing but TLS, or a network of your own. */
    public Builder seatToken(String seatToken) {
      this.seatToken = seatToken;
      return this;
    }

    /** Calls as a back end. A secret: send it over nothing but TLS, or a network of your own. */
    public Builder apiKey(String apiKey) {
      this.apiKey = apiKey;
      return this;
    }

    /**
     * Asks for texts, such as those of violations, in a language, or in the best one there is of several: {@code "it"},
     * {@code "pl, en;q=0.5"}. English unless set.
     */
    public Builder language(String language) {
      this.language = language;
      return this;
    }

    /** Sets anything else on gRPC's own builder, after what is set here. */
    public Builder options(Consumer<? super ManagedChannelBuilder<?>> options) {
      this.options = Objects.requireNonNull(options, "options");
      return this;
    }

    /**
     * Connects; the connection itself is made by the first call, or by {@link Burraco#awaitReady}.
     *
     * @throws IllegalStateException if there are a seat token and an API key
     * @throws IllegalArgumentException if the one that there is, or the language, has a character that metadata cannot
     *     carry
     */
    public Burraco connect() {
      Metadata who = who();
      Metadata spoken = spoken(language);
      ManagedChannelBuilder<?> channel = Grpc.newChannelBuilder(target, credentials)
          .defaultServiceConfig(ServiceConfig.withTimeout(longer(timeout, ServiceConfig.TIMEOUT)));
      if (keepAlive != null) {
        channel
            .keepAliveTime(keepAlive.toNanos(), TimeUnit.NANOSECONDS)
            .keepAliveTimeout(KEEP_ALIVE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)
            .keepAliveWithoutCalls(true);
      }
      options.accept(channel);
      return new Burraco(target, channel.build(), true, timeout, who, spoken);
    }

    private Metadata who() {
      if (seatToken != null && apiKey != null) {
        throw new IllegalStateException("a caller is a seat or a back end: give seatToken or apiKey, not both");
      }
      if (seatToken != null) {
        return header(SEAT_TOKEN, seatToken);
      }
      return apiKey == null ? new Metadata() : header(API_KEY, apiKey);
    }

    private static Duration lasting(String name, Duration duration) {
      if (duration.isZero() || duration.isNegative()) {
        throw new IllegalArgumentException(name + " is " + duration + ", but has to be longer than nothing");
      }
      return duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    }

    private static Duration longer(Duration one, Duration other) {
      return one.compareTo(other) > 0 ? one : other;
    }
  }
}
