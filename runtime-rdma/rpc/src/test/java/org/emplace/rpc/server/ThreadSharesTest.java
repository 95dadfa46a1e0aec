// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.reactor.Peer;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService.Handler;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.xdr.XdrDecoder;
import org.junit.jupiter.api.Test;

/** Which calls get threads, and when those of a peer wait so long for one that the peer should not get more credits. */
final class ThreadSharesTest {
    private static final Procedure<Void, Void> NULL = Procedure.ofNull(RpcProgram.of("TEST", 1, 1));

    private final AtomicLong now = new AtomicLong();
    private final ThreadShares shares = new ThreadShares(2, true, 1, now::get);
    private final Peer slow = Peer.of(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}));
    private final Peer other = Peer.of(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 2}));

    ThreadSharesTest() throws Exception {}

    @Test
    void aPeerWhoseCallsWaitLongIsSlowAndNobodyElse() {
        ServerExchange first = callOf(slow);
        assertThat(shares.admit(first)).isTrue();
        assertThat(shares.admit(callOf(slow))).isFalse();
        assertThat(shares.admit(callOf(slow))).isFalse();
        ServerExchange quick = callOf(other);
        assertThat(shares.admit(quick)).isTrue();
        assertThat(shares.admit(callOf(other))).isFalse();
        assertThat(shares.isSlow(slow)).isFalse();

        pass(Duration.ofSeconds(1));
        assertThat(shares.leave(quick, 0)).extracting(ServerExchange::peer).isEqualTo(other);
        assertThat(shares.admit(callOf(other))).isFalse();
        pass(Duration.ofSeconds(10));
        assertThat(shares.leave(first, 0)).extracting(ServerExchange::peer).isEqualTo(slow);

        assertThat(shares.isSlow(slow)).isTrue();
        assertThat(shares.isSlow(other)).isFalse();
    }

    @Test
    void aPeerOfWhichNoCallWaitsIsNotSlow() {
        ServerExchange first = callOf(slow);
        assertThat(shares.admit(first)).isTrue();
        assertThat(shares.admit(callOf(slow))).isFalse();
        pass(Duration.ofSeconds(11));

        assertThat(shares.leave(first, 0)).isNotNull();

        assertThat(shares.isSlow(slow)).isFalse();
    }

    @Test
    void shortCallsGetNoMoreThreadsThanThereAreProcessors() {
        ThreadShares many = new ThreadShares(16, true, 2, now::get);
        makeShort(many);

        assertThat(many.admit(callOf(slow))).isTrue();
        assertThat(many.admit(callOf(slow))).isTrue();
        ServerExchange third = callOf(slow);
        assertThat(many.admit(third)).isFalse();
        assertThat(many.needsCheck(third)).isTrue();
        assertThat(many.needsCheck(third)).as("asked for once").isFalse();
        assertThat(many.admit(callOf(other))).isTrue();
        assertThat(many.next()).isNull();
    }

    @Test
    void longCallsGetTheThreadsThatAreLeft() {
        ThreadShares many = new ThreadShares(16, true, 2, now::get);
        for (int i = 0; i < 14; i++) {
            assertThat(many.admit(callOf(slow))).isTrue();
        }
        assertThat(many.admit(callOf(slow))).isFalse();
        assertThat(many.needsCheck(callOf(slow))).isFalse();
    }

    @Test
    void callsThatTurnLongGetMoreThreads() {
        ThreadShares many = new ThreadShares(16, true, 2, now::get);
        makeShort(many);
        ServerExchange first = callOf(slow);
        ServerExchange second = callOf(slow);
        assertThat(many.admit(first)).isTrue();
        assertThat(many.admit(second)).isTrue();
        for (int i = 0; i < 4; i++) {
            assertThat(many.admit(callOf(slow))).isFalse();
        }

        assertThat(many.leave(first, Duration.ofSeconds(1).toNanos())).isNotNull();
        assertThat(many.next()).as("after one long call among short ones").isNull();
        assertThat(many.leave(second, Duration.ofSeconds(1).toNanos())).isNotNull();
        assertThat(many.next()).isNotNull();
    }

    @Test
    void callsThatMayBeBlockedGetMoreThreads() {
        ThreadShares many = new ThreadShares(16, true, 2, now::get);
        makeShort(many);
        ServerExchange first = callOf(slow);
        assertThat(many.admit(first)).isTrue();
        assertThat(many.admit(callOf(slow))).isTrue();
        assertThat(many.admit(callOf(slow))).isFalse();
        assertThat(many.admit(callOf(slow))).isFalse();
        assertThat(many.leave(first, 0)).isNotNull();

        assertThat(many.check()).as("a call has ended").isTrue();
        assertThat(many.next()).isNull();
        assertThat(many.check()).as("none has ended since").isFalse();
        assertThat(many.next()).isNotNull();
    }

    /** Makes calls of the peer that hold their threads for no time. */
    private void makeShort(ThreadShares many) {
        for (int i = 0; i < 100; i++) {
            ServerExchange call = callOf(slow);
            assertThat(many.admit(call)).isTrue();
            assertThat(many.leave(call, 0)).isNull();
        }
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    /** A call by a connection of its own. Only its peer and its connection matter. */
    private static ServerExchange callOf(Peer peer) {
        ServerCall.Connection connection = only(ServerCall.Connection.class, Map.of());
        return new ServerExchange(
                new CallAdmission(null),
                only(IncomingCall.class, Map.of("peer", peer, "connection", connection)),
                0,
                AuthNone.INSTANCE,
                () -> AuthNone.INSTANCE,
                OpaqueAuth.NONE,
                new Handler<>(NULL, (nothing, call) -> new CompletableFuture<>(), false, false),
                new XdrDecoder(ByteBuffer.allocate(0)),
                CallMeasurement.NONE);
    }

    /** An object that has only these properties. */
    private static <T> T only(Class<T> type, Map<String, Object> properties) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> properties.get(method.getName());
                }));
    }
}
