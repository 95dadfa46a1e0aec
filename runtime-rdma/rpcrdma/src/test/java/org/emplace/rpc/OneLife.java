// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.emplace.RpcRuntime;
import org.emplace.RpcServer;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * The life of one connection, of which {@link ErrorPlaces} makes something fail, and what must hold after it: each call has ended, nothing is
 * held, and the server serves another connection.
 */
public final class OneLife implements Function<String, List<String>> {
    private static final long LIMIT_SECONDS = Long.getLong("errors.limit", 30);
    private static final CallOptions OPTIONS =
            CallOptions.DEFAULT.withTimeout(Duration.ofMinutes(5)).withUnboundedReplySize(110_000);
    private static final int LENGTH = 100_000;
    private static final RpcProgram PROGRAM = EchoProgram.PROGRAM;

    /** Is not repeated: the server keeps its reply. */
    private static final Procedure<Integer, Integer> ONCE =
            procedure(20, "ONCE", ProcedureBinding.nonIdempotent(value -> Integer.BYTES));

    /** Is answered on the loop. */
    private static final Procedure<Integer, Integer> AT_ONCE =
            procedure(21, "AT_ONCE", ProcedureBinding.idempotent(value -> Integer.BYTES));

    /** Is answered when the client has closed its connection. */
    private static final Procedure<Integer, Integer> LATE =
            procedure(22, "LATE", ProcedureBinding.idempotent(value -> Integer.BYTES));

    /** Has arguments of that many numbers, which are long for a message. */
    private static final Procedure<Integer, Integer> LONG = Procedure.of(
            PROGRAM,
            23,
            "LONG",
            new XdrCodec<>(OneLife::writeNumbers, OneLife::readNumbers),
            EchoProgram.ECHO.results(),
            ProcedureBinding.idempotent(value -> Integer.BYTES));

    /** Calls back. */
    private static final Procedure<Integer, Integer> BACK =
            procedure(24, "BACK", ProcedureBinding.idempotent(value -> Integer.BYTES));

    private final CompletableFuture<Integer> late = new CompletableFuture<>();
    private final List<String> wrong = new ArrayList<>();
    /** The threads of the runtime that an Error has ended. */
    private final Set<String> ended = new ConcurrentSkipListSet<>();
    /** The threads on which stages of calls ran. */
    private final Set<String> ofStages = new ConcurrentSkipListSet<>();

    private final List<RpcCall<?>> calls = new ArrayList<>();

    private static Procedure<Integer, Integer> procedure(
            long number, String name, ProcedureBinding<Integer, Integer> binding) {
        return Procedure.of(PROGRAM, number, name, EchoProgram.ECHO.arguments(), EchoProgram.ECHO.results(), binding);
    }

    private static void writeNumbers(XdrEncoder out, int numbers) {
        out.writeInt(numbers);
        for (int i = 0; i < numbers; i++) {
            out.writeInt(i);
        }
    }

    private static int readNumbers(XdrDecoder in) throws XdrException {
        int numbers = in.readInt();
        for (int i = 0; i < numbers; i++) {
            in.readInt();
        }
        return numbers;
    }

    /**
     * Lives one life.
     *
     * @param kind the scheme of the address, and "+" if the client outlives its connections
     * @return what was wrong after it
     */
    @Override
    public List<String> apply(String kind) {
        boolean recovers = kind.endsWith("+");
        String scheme = kind.replace("+", "");
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            if (thread.getName().startsWith("emplace-")) {
                ended.add(thread.getName());
            }
        });
        RpcRuntime ofServer = RpcRuntime.builder().eventLoops(1).build();
        RpcRuntime ofClient = RpcRuntime.builder().eventLoops(1).build();
        try (RpcServer server = ofServer.serverBuilder()
                .service(service())
                .listen(URI.create(scheme + "://127.0.0.1:0"))
                .threads(4)
                .observer(report -> {})
                .closeTimeout(Duration.ofSeconds(1))
                .start()) {
            URI address = URI.create(
                    scheme + "://127.0.0.1:" + server.addresses().get(0).getPort());
            ErrorPlaces.begin();
            inThread("the connection's life", () -> live(ofClient, address, recovers));
            late.complete(1);
            for (RpcCall<?> call : calls) {
                await("the end of " + call, call.completion());
            }
            awaitNothingHeld(server, ofServer, ofClient, server);
            ErrorPlaces.end();
            inThread("another connection's life", () -> liveAgain(ofClient, address));
            awaitNothingHeld(server, ofServer, ofClient, server);
        } catch (Exception | Error failure) {
            wrong.add("failed: " + failure);
        } finally {
            ErrorPlaces.end();
            ofClient.close();
            ofServer.close();
        }
        ended.forEach(thread -> wrong.add("ended thread " + thread));
        ofStages.stream()
                .filter(thread -> thread.matches("emplace-(tcp|iwarp|timer).*"))
                .forEach(thread -> wrong.add("ran a stage on " + thread));
        return wrong;
    }

    private RpcService service() {
        Map<Long, RpcService.Handler<?, ?>> handlers =
                new HashMap<>(EchoProgram.service((value, call) -> CompletableFuture.supplyAsync(() -> value))
                        .handlers());
        RpcService.AsyncHandling<Integer, Integer> same = (value, call) -> CompletableFuture.completedFuture(value);
        handlers.put(ONCE.number(), new RpcService.Handler<>(ONCE, same));
        handlers.put(AT_ONCE.number(), new RpcService.Handler<>(AT_ONCE, same));
        handlers.put(LATE.number(), new RpcService.Handler<>(LATE, (value, call) -> late));
        handlers.put(LONG.number(), new RpcService.Handler<>(LONG, same));
        handlers.put(BACK.number(), new RpcService.Handler<>(BACK, (value, call) -> {
            call.connection().enableBackwardCalls();
            return call.connection()
                    .call(EchoProgram.ECHO, value, Destinations.none(), OPTIONS)
                    .completion();
        }));
        return new RpcService(PROGRAM, handlers).handlingOnLoop(AT_ONCE);
    }

    /** An Error on this thread is one that the program sees. */
    private void live(RpcRuntime runtime, URI address, boolean recovers) {
        ConnectionOptions options = ConnectionOptions.DEFAULT.withObserver(report -> {});
        RpcClient client;
        try {
            client = recovers ? runtime.client(address, options, PROGRAM) : runtime.connect(address, options, PROGRAM);
        } catch (RpcException | Error failure) {
            return;
        }
        try {
            client.serve(EchoProgram.service());
            call(client);
        } finally {
            // Once more after an Error: a program may do so, too.
            try {
                client.close();
            } catch (Error failure) {
                client.close();
            }
        }
        await("the client's end", client.closed());
    }

    private void call(RpcClient client) {
        answer(begin(client, EchoProgram.NULL, 0));
        List<@Nullable RpcCall<Integer>> together = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            together.add(begin(client, EchoProgram.ECHO, i));
        }
        together.forEach(this::answer);
        answer(begin(client, ONCE, 1));
        answer(begin(client, AT_ONCE, 1));
        answer(begin(client, EchoProgram.THROW, 1));
        answer(begin(client, EchoProgram.READ, LENGTH));
        answer(begin(
                client,
                EchoProgram.MIRROR,
                Payload.of(EchoProgram.pattern(LENGTH)),
                Destination.into(ByteBuffer.allocateDirect(LENGTH))));
        answer(begin(client, LONG, LENGTH / Integer.BYTES));
        answer(begin(client, EchoProgram.COUNT, LENGTH / Integer.BYTES));
        // The room for the reply is too short (RDMA).
        answer(begin(client, EchoProgram.COUNT, LENGTH));
        answer(begin(client, BACK, 1));
        RpcCall<Integer> cancelled = begin(client, LATE, 1);
        if (cancelled != null) {
            try {
                cancelled.cancel();
            } catch (Error failure) {
                cancelled.cancel();
            }
        }
        begin(client, LATE, 2);
    }

    private <A, R> @Nullable RpcCall<R> begin(
            RpcConnection client, Procedure<A, R> procedure, A argument, Destination... sinks) {
        try {
            RpcCall<R> call = client.call(procedure, argument, Destinations.of(sinks), OPTIONS);
            calls.add(call);
            call.completion()
                    .whenComplete((value, failure) ->
                            ofStages.add(Thread.currentThread().getName()));
            return call;
        } catch (Error | RuntimeException failure) {
            return null;
        }
    }

    private void answer(@Nullable RpcCall<?> call) {
        try {
            if (call != null) {
                call.await();
            }
        } catch (Exception | Error failure) {
            // It has ended.
        }
    }

    private void liveAgain(RpcRuntime runtime, URI address) {
        try (RpcClient client = runtime.connect(address, ConnectionOptions.DEFAULT, PROGRAM)) {
            for (Procedure<Integer, Integer> procedure : List.of(EchoProgram.ECHO, ONCE, AT_ONCE)) {
                int value =
                        client.call(procedure, 5, Destinations.none(), OPTIONS).await();
                if (value != 5) {
                    wrong.add("another connection: " + procedure + " returned " + value);
                }
            }
            Payload read = client.call(EchoProgram.READ, LENGTH, Destinations.none(), OPTIONS)
                    .await();
            if (read.length() != LENGTH) {
                wrong.add("another connection: read " + read.length() + " bytes");
            }
        } catch (Exception | Error failure) {
            wrong.add("another connection: " + failure);
        }
    }

    private void inThread(String what, Runnable part) throws InterruptedException {
        Thread thread = new Thread(
                () -> {
                    try {
                        part.run();
                    } catch (Error failure) {
                        // Of the program's own code.
                    }
                },
                what);
        thread.setDaemon(true);
        thread.setContextClassLoader(OneLife.class.getClassLoader());
        thread.start();
        thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        if (thread.isAlive()) {
            StringBuilder where = new StringBuilder();
            for (StackTraceElement element : thread.getStackTrace()) {
                if (element.getClassName().startsWith("org.emplace")) {
                    where.append(' ')
                            .append(element.getMethodName())
                            .append(':')
                            .append(element.getLineNumber());
                }
            }
            wrong.add(what + " waits in" + where);
            thread.interrupt();
        }
    }

    private void await(String what, CompletionStage<?> end) {
        try {
            end.toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            wrong.add("waits for " + what);
        } catch (ExecutionException | InterruptedException failure) {
            // It has ended.
        }
    }

    private void awaitNothingHeld(RpcServer server, Object... roots) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        List<String> held = held(server, roots);
        while (!held.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(2);
            held = held(server, roots);
        }
        wrong.addAll(held);
    }

    private static List<String> held(RpcServer server, Object... roots) {
        List<String> held = new ArrayList<>();
        ServerLoad load = server.load();
        if (load.connections() > 0) {
            held.add("held: " + load.connections() + " connections");
        }
        held.addAll(Held.by(roots));
        return held;
    }
}
