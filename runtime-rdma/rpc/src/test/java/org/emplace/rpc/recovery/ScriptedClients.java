// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.emplace.reactor.ManualClock;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.rpc.transport.RuntimeResources.Settings;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;

/** Clients over a scripted transport, with a clock that the test advances, on the test's own thread. */
final class ScriptedClients {
    static final URI ADDRESS = URI.create("scripted://server:1");
    static final Duration FIRST_DELAY = Duration.ofMillis(100);
    static final RpcProgram PROGRAM = RpcProgram.of("ECHO", 0x2000_0001L, 3);
    static final CallOptions SOFT = CallOptions.DEFAULT.withTimeout(Duration.ofSeconds(10));
    static final CallOptions HARD = SOFT.withRecovery(CallOptions.Recovery.HARD);
    static final ConnectionOptions OPTIONS = ConnectionOptions.DEFAULT.withKeepAlive(Duration.ofMinutes(10));

    private static final XdrCodec<Integer> INT = new XdrCodec<>(XdrEncoder::writeInt, XdrDecoder::readInt);
    static final Procedure<Integer, Integer> ECHO =
            Procedure.of(PROGRAM, 1, "ECHO", INT, INT, ProcedureBinding.nonIdempotent(value -> 4));

    final ManualClock clock = new ManualClock();
    final ScriptedTransport transport = new ScriptedTransport(clock);
    /** The observer's events, one line each. */
    final List<String> events = new ArrayList<>();
    /** Run when a call is resent. */
    Runnable resending = () -> {};
    /** Selects how much of a delay is left out: nothing or the maximum. */
    boolean shortensDelays;

    /** A client with the same delay after each failure. */
    RecoveringConnection connect() {
        return connect(FIRST_DELAY, FIRST_DELAY);
    }

    RecoveringConnection connect(Duration firstDelay, Duration longestDelay) {
        return connect(OPTIONS.withDelays(firstDelay, longestDelay), address -> address);
    }

    RecoveringConnection connect(ConnectionOptions options) {
        return connect(options.withDelays(FIRST_DELAY, FIRST_DELAY), address -> address);
    }

    RecoveringConnection connect(ConnectionOptions options, UnaryOperator<URI> relocation) {
        try {
            return new RecoveringConnection(
                    ADDRESS,
                    relocation::apply,
                    transport,
                    options.recoveryObserver() == RecoveryObserver.NONE
                            ? options.withRecoveryObserver(new Events())
                            : options,
                    RuntimeResources.of(Runnable::run, Runnable::run, clock, Settings.DEFAULT),
                    new Extreme());
        } catch (RpcException unreachable) {
            throw new AssertionError(unreachable);
        }
    }

    ScriptedTransport.Connection connection() {
        return transport.connections.get(transport.connections.size() - 1);
    }

    /** The latest call over the latest connection. */
    ScriptedTransport.Call<?> sent() {
        return connection().calls.get(connection().calls.size() - 1);
    }

    static RpcCall<Integer> echo(RpcConnection client, CallOptions options) {
        return client.call(ECHO, 7, Destinations.none(), options);
    }

    /** The outcome of a call that is over. Everything runs on the test's thread, so this method does not wait. */
    static <R> R outcome(RpcCall<R> call) throws RpcException, InterruptedException {
        assertThat(call.completion().toCompletableFuture()).as("the call").isDone();
        return call.await();
    }

    private final class Extreme implements RandomGenerator {
        @Override
        public long nextLong() {
            return 0x0123_4567_89ab_cdefL;
        }

        @Override
        public long nextLong(long bound) {
            return shortensDelays ? bound - 1 : 0;
        }
    }

    private final class Events implements RecoveryObserver {
        @Override
        public void disconnected(URI address, String why) {
            events.add("disconnected: " + why);
        }

        @Override
        public void notConnected(URI address, RpcException failure) {
            events.add("not connected: " + failure.getMessage());
        }

        @Override
        public void reconnected(URI address, RpcClient client) {
            events.add("reconnected");
        }

        @Override
        public void resent(Procedure<?, ?> procedure, int xid) {
            events.add("resent: " + procedure + " " + xid);
            resending.run();
        }
    }
}
