// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.Rpc;
import org.emplace.RpcRuntime;
import org.emplace.RpcServer;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.CallOptions.Recovery;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ProcedureBinding.Violation;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.ResultOrder;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerCall;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Calls that are not idempotent, over connections that the server closes at any time: before the reply, during the
 * transfer of chunks, or after the reply. {@code -Dcuts.calls=10000} sets the number of calls.
 */
final class LostConnectionsTest {
    private static final int CALLS = Integer.getInteger("cuts.calls", 400);
    private static final int AT_A_TIME = 16;
    /** What a server keeps of a reply. */
    private static final int LARGEST = 60_000;

    private final AtomicInteger reconnections = new AtomicInteger();
    private final ConnectionOptions soon = ConnectionOptions.DEFAULT
            .withDelays(Duration.ofMillis(5), Duration.ofMillis(200))
            .withRecoveryObserver(new RecoveryObserver() {
                @Override
                public void reconnected(URI address, RpcClient client) {
                    reconnections.incrementAndGet();
                }
            });

    private record Block(long number, Payload bytes) {}

    private static final XdrCodec<Block> BLOCK = new XdrCodec<>(
            (out, block) -> {
                out.writeUnsignedInt(block.number());
                out.writePayload(block.bytes());
            },
            in -> new Block(in.readUnsignedInt(), in.readPayload(LARGEST)));

    /** Returns its argument, if it is called once. */
    private static final Procedure<Block, Block> ONCE = Procedure.of(
            RpcProgram.of("ONCE", 0x20000051, 1),
            1,
            "ONCE",
            BLOCK,
            BLOCK,
            ProcedureBinding.<Block, Block>nonIdempotent(block -> 8)
                    .withReadChunks(1)
                    .withWriteChunks(
                            1,
                            ResultOrder.payload(
                                    0, "bytes", (block, i) -> block.bytes().length(), Block::bytes))
                    .withViolation(Violation.ERR_CHUNK));

    private final Random random = new Random(42);
    private final Map<Long, Integer> effects = new HashMap<>();
    private String providerBefore;

    @BeforeEach
    void useTheProviderUnderTest() {
        providerBefore = System.getProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY, "");
        System.setProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY, ProviderUnderTest.CHOSEN.name());
    }

    @AfterEach
    void useAnyProvider() {
        if (providerBefore.isEmpty()) {
            System.clearProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY);
        } else {
            System.setProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY, providerBefore);
        }
    }

    @Test
    void everyCallTakesEffectOnceAndItsCallerGetsTheReply() throws Exception {
        RpcService service =
                RpcService.builder(ONCE.program()).handleAsync(ONCE, this::once).build();
        URI any = URI.create("rdma://" + ProviderUnderTest.CHOSEN.address() + ":0");
        try (RpcServer server = RpcServer.builder().service(service).listen(any).start()) {
            URI address = URI.create(
                    "rdma://" + any.getHost() + ":" + server.addresses().get(0).getPort());
            try (RpcConnection client = Rpc.client(address, soon)) {
                makeCalls(client);
            }
        }
        assertThat(reconnections).hasValueGreaterThan(CALLS / 40);
        assertThat(effects)
                .hasSize(CALLS)
                .allSatisfy((number, times) ->
                        assertThat(times).as("effects of call %d", number).isEqualTo(1));
    }

    private void makeCalls(RpcConnection client) throws Exception {
        for (int first = 0; first < CALLS; first += AT_A_TIME) {
            List<RpcCall<Block>> calls = new ArrayList<>();
            for (int number = first; number < Math.min(first + AT_A_TIME, CALLS); number++) {
                Destination destination = Destination.into(ByteBuffer.allocateDirect(LARGEST));
                Block arguments = new Block(number, Payload.of(bytesOf(number)));
                calls.add(client.call(
                        ONCE,
                        arguments,
                        Destinations.of(destination),
                        CallOptions.DEFAULT.withRecovery(Recovery.HARD)));
            }
            for (int i = 0; i < calls.size(); i++) {
                Block result = calls.get(i).await();
                assertThat(result.number()).isEqualTo(first + i);
                assertThat(result.bytes().buffer()).isEqualTo(bytesOf(first + i));
            }
        }
    }

    /** Small values go inline, large ones as chunks. */
    private static ByteBuffer bytesOf(int number) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(number % 3 == 0 ? 100 : number * 997 % LARGEST);
        for (int i = 0; i < bytes.capacity(); i++) {
            bytes.put(i, (byte) (i * 31 + number));
        }
        return bytes;
    }

    private synchronized CompletionStage<Block> once(Block arguments, ServerCall call) {
        effects.merge(arguments.number(), 1, Integer::sum);
        if (random.nextInt(100) < 15) {
            closeSoon(call.connection(), random.nextInt(2_000));
        }
        return CompletableFuture.completedFuture(arguments);
    }

    private static void closeSoon(RpcConnection connection, int micros) {
        Executor later = CompletableFuture.delayedExecutor(micros, TimeUnit.MICROSECONDS);
        later.execute(connection::close);
    }
}
