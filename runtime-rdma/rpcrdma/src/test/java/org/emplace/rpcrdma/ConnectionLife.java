// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.emplace.rdma.RdmaException;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RecoveryOptions;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.ServerLoad;
import org.emplace.rpc.recovery.RecoveringConnection;
import org.emplace.rpc.tcp.TcpTransport;
import org.emplace.rpc.transport.CallbackThreads;
import org.emplace.rpc.transport.ConnectionLimit;
import org.emplace.rpc.transport.RpcListener;
import org.emplace.rpc.transport.RpcTransport;
import org.emplace.rpc.transport.ServiceDispatcher;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.jspecify.annotations.Nullable;

/**
 * A server, and clients that connect, make calls of each kind, and close. Each {@link #call} is the life of one
 * connection, in which anything may fail at any place; {@link #get} then tells what has not come back. Both return an
 * empty text if all is well. Its types are the JDK's, because another class loader loads this class.
 */
public final class ConnectionLife implements Callable<String>, Supplier<String>, AutoCloseable {
    private static final int MEMORY = 1 << 20;
    private static final int LARGE = 20_000;
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final CallOptions OPTIONS =
            CallOptions.DEFAULT.withTimeout(LIMIT).withUnboundedReply(4 * LARGE);
    private static final XdrCodec<XdrOpaque> BYTES =
            new XdrCodec<>(XdrEncoder::writeOpaque, in -> in.readOpaque(XdrDecoder.UNBOUNDED));
    private static final XdrOpaque SMALL = XdrOpaque.of(new byte[100]);

    /** Not idempotent, so its replies are kept. */
    private static final Procedure<XdrOpaque, XdrOpaque> ONCE = procedure(10, "ONCE", false);
    /** Answered on the thread that receives calls. */
    private static final Procedure<XdrOpaque, XdrOpaque> AT_ONCE = procedure(11, "AT_ONCE", true);
    /** Calls the client back. */
    private static final Procedure<XdrOpaque, XdrOpaque> BACK = procedure(12, "BACK", true);
    /** Is not answered before LET_GO. */
    private static final Procedure<XdrOpaque, XdrOpaque> HOLD = procedure(13, "HOLD", true);

    private static final Procedure<XdrOpaque, XdrOpaque> LET_GO = procedure(14, "LET_GO", true);
    private static final Procedure<XdrOpaque, XdrOpaque> FAIL = procedure(15, "FAIL", true);

    private final Queue<CompletableFuture<XdrOpaque>> held = new ConcurrentLinkedQueue<>();
    private final List<String> problems = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong observed = new AtomicLong();
    private volatile boolean holding;
    private final List<OneDevice> devices = new ArrayList<>();
    private final Map<OneDevice, Integer> usuallyFree = new HashMap<>();
    private final ServiceDispatcher dispatcher =
            ServiceDispatcher.forManyPeers(4, 16, 1 << 20, report -> observed.incrementAndGet());
    private final ConnectionLimit limit = new ConnectionLimit(8);
    private final boolean recovering;
    private final RpcTransport clients;
    private final RpcListener listener;
    private final URI address;
    private final Timekeeper time = Timekeeper.system("life-timer");
    private final ConnectionOptions options = ConnectionOptions.DEFAULT
            .withCredits(1)
            .withBackwardCredits(1)
            .withConnectTimeout(LIMIT)
            .withKeepAlive(Duration.ofSeconds(3))
            .withObserver(report -> observed.incrementAndGet());

    /** @param kind {@code tcp} or {@code rdma}, with {@code recovering-} before it for a client that connects again */
    public ConnectionLife(String kind) throws Exception {
        recovering = kind.startsWith("recovering-");
        boolean tcp = kind.endsWith("tcp");
        clients = tcp ? new TcpTransport(MEMORY) : device();
        RpcTransport servers = tcp ? new TcpTransport(MEMORY) : device();
        dispatcher.add(service());
        listener = servers.listen(URI.create((tcp ? "tcp" : "rdma") + "://127.0.0.1:0"), dispatcher, options, limit);
        address = URI.create((tcp ? "tcp" : "rdma") + "://127.0.0.1:"
                + listener.localAddress().getPort());
    }

    private RpcTransport device() throws Exception {
        OneDevice device = new OneDevice(MEMORY);
        devices.add(device);
        return device.transport;
    }

    private static Procedure<XdrOpaque, XdrOpaque> procedure(long number, String name, boolean idempotent) {
        return new Procedure<>(
                Blobs.PROGRAM,
                number,
                name,
                BYTES,
                BYTES,
                ProcedureBinding.nothingEligible(arguments -> 4 * LARGE, idempotent));
    }

    private RpcService service() {
        return Blobs.service(
                        Blobs.handler(ONCE, (bytes, call) -> CompletableFuture.completedFuture(bytes)),
                        Blobs.handler(AT_ONCE, (bytes, call) -> CompletableFuture.completedFuture(bytes)),
                        Blobs.handler(BACK, this::callBack),
                        Blobs.handler(HOLD, (bytes, call) -> {
                            CompletableFuture<XdrOpaque> later = new CompletableFuture<>();
                            held.add(later);
                            if (!holding) {
                                letGo();
                            }
                            return later;
                        }),
                        Blobs.handler(LET_GO, (bytes, call) -> {
                            letGo();
                            return CompletableFuture.completedFuture(bytes);
                        }),
                        Blobs.handler(FAIL, (bytes, call) -> {
                            throw new IllegalStateException("as the test wants it");
                        }),
                        Blobs.handler(
                                Blobs.GET,
                                (sizes, call) -> CompletableFuture.completedFuture(new Blobs.Items(
                                        sizes.stream()
                                                .map(size -> made(call, size))
                                                .toList(),
                                        7))))
                .answeringAtOnce(AT_ONCE);
    }

    private static Payload made(ServerCall call, long size) {
        return Payload.of(call.buffer((int) size));
    }

    private CompletableFuture<XdrOpaque> callBack(XdrOpaque bytes, ServerCall call) {
        call.connection().enableBackwardCalls();
        return call.connection()
                .call(Blobs.ECHO, bytes, Destinations.none(), OPTIONS.withTimeout(LIMIT.dividedBy(2)))
                .completion()
                .whenComplete((result, failure) -> {
                    if (isTimeout(failure)) {
                        problems.add("the server's call to the client timed out");
                    }
                })
                .toCompletableFuture();
    }

    private void letGo() {
        holding = false;
        for (CompletableFuture<XdrOpaque> later = held.poll(); later != null; later = held.poll()) {
            later.complete(SMALL);
        }
    }

    private static boolean isTimeout(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException || failure instanceof ExecutionException
                ? failure.getCause()
                : failure;
        return cause instanceof RpcException known && known.kind() == RpcException.Kind.TIMED_OUT;
    }

    private RpcConnection connect() throws RpcException {
        if (!recovering) {
            return clients.connect(address, options);
        }
        RecoveryOptions soon = RecoveryOptions.DEFAULT.withDelays(Duration.ofMillis(1), Duration.ofMillis(10));
        return new RecoveringConnection(
                address,
                same -> same,
                clients,
                options,
                soon,
                time,
                CallbackThreads.daemons("life-connect"),
                new Random(7));
    }

    /** The life of one connection. */
    @Override
    public String call() {
        problems.clear();
        RpcConnection connection;
        try {
            connection = connect();
        } catch (RpcException | RuntimeException | Error said) {
            if (isTimeout(said) || String.valueOf(said.getMessage()).contains(" within ")) {
                problems.add("connecting timed out: " + said);
            }
            return String.join("; ", problems);
        }
        live(connection);
        for (int tries = 0; tries < 2; tries++) {
            attempt("close", connection::close);
        }
        attempt("closed", () -> connection.closed().toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS));
        return String.join("; ", problems);
    }

    private void live(RpcConnection connection) {
        attempt("serve", () -> connection.serve(Blobs.service()));
        attempt("echo", () -> echo(connection, Blobs.ECHO));
        attempt("once", () -> echo(connection, ONCE));
        attempt("at once", () -> echo(connection, AT_ONCE));
        attempt("put", () -> {
            ByteBuffer bytes = Blobs.pattern(LARGE);
            call(connection, Blobs.PUT, Blobs.Items.of(Payload.of(bytes)), Destinations.none());
        });
        attempt(
                "get",
                () -> call(
                        connection,
                        Blobs.GET,
                        List.of((long) LARGE),
                        Blobs.into(Destination.into(ByteBuffer.allocateDirect(LARGE)))));
        attempt(
                "long",
                () -> connection
                        .call(Blobs.ECHO, XdrOpaque.of(new byte[LARGE]), Destinations.none(), OPTIONS)
                        .await());
        attempt("back", () -> echo(connection, BACK));
        attempt("several", () -> {
            List<RpcCall<XdrOpaque>> calls = new ArrayList<>();
            try {
                for (int i = 0; i < 3; i++) {
                    calls.add(connection.call(Blobs.ECHO, SMALL, Destinations.none(), OPTIONS));
                }
            } finally {
                for (RpcCall<XdrOpaque> call : calls) {
                    attempt("one of several", () -> ended(call));
                }
            }
        });
        attempt("fail", () -> echo(connection, FAIL));
        holding = true;
        attempt("cancelled", () -> {
            RpcCall<XdrOpaque> call = connection.call(HOLD, SMALL, Destinations.none(), OPTIONS);
            Thread canceller = new Thread(() -> {
                try {
                    call.cancel();
                } catch (RuntimeException | Error said) {
                    // The call goes on, as its caller has been told.
                    letGo();
                }
            });
            canceller.start();
            canceller.join();
            ended(call);
        });
        letGo();
        attempt("after it", () -> echo(connection, Blobs.ECHO));
        letGo();
    }

    private void echo(RpcConnection connection, Procedure<XdrOpaque, XdrOpaque> procedure) throws Exception {
        call(connection, procedure, SMALL, Destinations.none());
    }

    private <A, R> void call(RpcConnection connection, Procedure<A, R> procedure, A arguments, Destinations into)
            throws Exception {
        RpcCall<R> call = connection.call(procedure, arguments, into, OPTIONS);
        try {
            call.await();
        } finally {
            // A thread whose wait failed has not cancelled the call, which must end nevertheless.
            ended(call);
        }
    }

    private static void ended(RpcCall<?> call) throws Exception {
        call.completion().toCompletableFuture().get(2 * LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private interface Step {
        void run() throws Exception;
    }

    /** Does something that may fail, but not wait in vain. */
    private void attempt(String name, Step step) {
        try {
            step.run();
        } catch (TimeoutException hangs) {
            problems.add(name + " does not end");
        } catch (CancellationException cancelled) {
            // As it was asked for.
        } catch (Exception | Error said) {
            if (isTimeout(said)) {
                problems.add(name + " timed out");
            }
        }
    }

    /** What has not come back after the life of a connection. */
    @Override
    public String get() {
        letGo();
        List<String> left = new ArrayList<>();
        await(left, "connections at the server", () -> limit.taken() == 0);
        await(left, "calls that run", () -> load().callsRunning() == 0);
        await(left, "calls that wait", () -> load().callsWaiting() == 0);
        for (OneDevice device : devices) {
            await(
                    left,
                    "connections of a device",
                    () -> device.provider.statistics().connections() == 0);
            await(left, "exposed memory", () -> device.provider.statistics().accessesOpen() == 0);
            await(left, "pooled memory", () -> isFree(device));
        }
        problems.clear();
        try (RpcConnection next = clients.connect(address, options)) {
            attempt("the next connection's call", () -> required(next, Blobs.ECHO, SMALL));
            attempt(
                    "the next connection's call for most memory",
                    () -> required(next, Blobs.GET, List.of(MEMORY / 8L * (devices.isEmpty() ? 5 : 2))));
        } catch (RpcException | RuntimeException | Error failed) {
            left.add("the next connection: " + failed);
        }
        left.addAll(problems);
        await(left, "its connection at the server", () -> limit.taken() == 0);
        return String.join("; ", left);
    }

    /** Whether the pool can give as much memory to one as at first. A listener's Receives keep some. */
    private boolean isFree(OneDevice device) {
        return acquires(device, usuallyFree.computeIfAbsent(device, ConnectionLife::largest));
    }

    private static int largest(OneDevice device) {
        int size = (int) device.pool.limit();
        while (!acquires(device, size)) {
            size /= 2;
        }
        return size;
    }

    private static boolean acquires(OneDevice device, int size) {
        try {
            device.pool.acquire(size).release();
            return true;
        } catch (RdmaException held) {
            return false;
        }
    }

    private <A, R> void required(RpcConnection connection, Procedure<A, R> procedure, A arguments) {
        try {
            connection.call(procedure, arguments, Destinations.none(), OPTIONS).await();
        } catch (Exception | Error failed) {
            problems.add(procedure + " over the next connection: " + failed);
        }
    }

    private ServerLoad load() {
        return dispatcher.load(limit);
    }

    private static void await(List<String> left, String what, BooleanSupplier isBack) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!isBack.getAsBoolean()) {
            if (System.nanoTime() > end) {
                left.add(what);
                return;
            }
            try {
                Thread.sleep(1);
            } catch (InterruptedException unexpected) {
                left.add("an interrupt");
            }
        }
    }

    @Override
    public void close() {
        listener.close();
        dispatcher.close();
        devices.forEach(OneDevice::close);
    }
}
