// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.emplace.rpc.Failures.assertFails;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.RpcService;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handler's use of its call over RDMA. */
final class ServerCallTest {

    @TempDir
    Path folder;

    @Test
    void argumentsCannotBeUsedOnceTheCallIsAnswered() throws Exception {
        CompletableFuture<Items> kept = new CompletableFuture<>();
        RpcService service = put((args, call) -> {
            kept.complete(args);
            return CompletableFuture.completedFuture(1L);
        });
        try (Peers peers = new Peers(service)) {
            put(peers, Payload.of(Blobs.pattern(9000)), Payload.of(Blobs.pattern(10)));

            assertThatNoneCanBeUsed(kept.get());
        }
    }

    @Test
    void argumentsOfAShortCallCannotBeUsedOnceItIsAnswered() throws Exception {
        CompletableFuture<Items> kept = new CompletableFuture<>();
        RpcService service = put((args, call) -> {
            kept.complete(args);
            return CompletableFuture.completedFuture(1L);
        });
        try (Peers peers = new Peers(service)) {
            put(peers, Payload.of(Blobs.pattern(10)));

            assertThatNoneCanBeUsed(kept.get());
        }
    }

    private static void assertThatNoneCanBeUsed(Items arguments) {
        assertThat(arguments.items()).isNotEmpty().allSatisfy(argument -> {
            assertThatThrownBy(argument::buffer).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> argument.fetchInto(ByteBuffer.allocate(9000)))
                    .isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void aReplyWaitsForAFetchInProgress() throws Exception {
        ByteBuffer sink = ByteBuffer.allocateDirect(3_000_000);
        CompletableFuture<Void> fetched = new CompletableFuture<>();
        RpcService service = put((args, call) -> {
            args.items().get(0).fetchInto(sink).thenAccept(fetched::complete);
            return CompletableFuture.completedFuture(1L);
        });
        try (Peers peers = new Peers(service)) {
            put(peers, Payload.of(Blobs.pattern(3_000_000)));

            fetched.get(20, TimeUnit.SECONDS);
            assertThat(sink).isEqualTo(Blobs.pattern(3_000_000));
        }
    }

    @Test
    void anArgumentCanBeFetchedIntoHeapMemory() throws Exception {
        ByteBuffer sink = ByteBuffer.allocate(9001);
        RpcService service =
                put((args, call) -> args.items().get(0).fetchInto(sink).thenApply(done -> 1L));
        try (Peers peers = new Peers(service)) {
            put(peers, Payload.of(Blobs.pattern(9001)));
            assertThat(sink).isEqualTo(Blobs.pattern(9001));
        }
    }

    @Test
    void aResultCanBeReadFromAFileUpToItsEnd() throws Exception {
        Path file = folder.resolve("data");
        byte[] bytes = new byte[50_001];
        Blobs.pattern(50_001).get(bytes);
        Files.write(file, bytes);
        try (FileChannel channel = FileChannel.open(file);
                Peers peers = new Peers(get((sizes, call) -> CompletableFuture.completedFuture(
                        Items.of(call.readFrom(channel, 1, 100_000), call.readFrom(channel, 60_000, 10)))))) {

            Items got = Blobs.get(peers.client, 100_000L, 10L);

            assertThat(got.items().get(0).buffer()).isEqualTo(ByteBuffer.wrap(bytes, 1, 50_000));
            assertThat(got.items().get(1).length()).isZero();
            assertThat(peers.report().copies()).isZero();
        }
    }

    @Test
    void aResultCanBeWrittenIntoTheCallsOwnBuffer() throws Exception {
        RpcService service = get((sizes, call) -> {
            ByteBuffer buffer = call.buffer(20_001).put(Blobs.pattern(20_001)).flip();
            return CompletableFuture.completedFuture(Items.of(Payload.of(buffer)));
        });
        try (Peers peers = new Peers(service)) {
            Items got = Blobs.get(peers.client, 20_001L);
            assertThat(got.items().get(0).buffer()).isEqualTo(Blobs.pattern(20_001));
        }
    }

    @Test
    void aResultThatIsTooLongForAMessageIsAnswered() throws Exception {
        try (Peers peers =
                new Peers(get((sizes, call) -> CompletableFuture.completedFuture(Items.of(new Endless(3L << 30)))))) {
            assertFails(() -> Blobs.get(peers.client), Kind.CHUNK_ERROR);
        }
    }

    @Test
    void aServerCanCallItsClientInline() throws Exception {
        XdrOpaque question = XdrOpaque.of(new byte[100]);
        CallOptions small = CallOptions.DEFAULT.withUnboundedReplySize(200);
        RpcService service = put((args, call) -> {
            call.connection().enableBackwardCalls();
            return call.connection()
                    .call(Blobs.ECHO, question, Destinations.none(), small)
                    .completion()
                    .thenApply(answer -> (long) answer.length());
        });
        try (Peers peers = new Peers(service)) {
            peers.client.serve(Blobs.service());

            assertThat(put(peers, Payload.of(Blobs.pattern(9000)))).isEqualTo(100);
        }
    }

    @Test
    void aBackwardCallIsAShortMessageWithItsOwnCredits() throws Exception {
        try (Peers peers = new Peers(putsThatCallBack());
                RawPeer client = RawPeer.connectedTo(peers.address(), RawPeer.privateData(false))) {
            client.send(Words.withoutChunks(5, 128).call(5, 1).and(0, 0));

            int[] callBack = client.receive();
            assertThat(callBack)
                    .containsExactly(Words.of(Words.withoutChunks(callBack[0], 16)
                            .call(callBack[0], 4)
                            .and(0)
                            .bytes()));

            client.send(echoed(callBack[0], 16));
            assertThat(client.receive()).as("the first grant of this direction").startsWith(5, 1, 2, 0);
        }
    }

    /** The first backward call uses the only initial credit. */
    @Test
    void theGrantsOfEachDirectionAreForItsOwnCalls() throws Exception {
        try (Peers peers = new Peers(putsThatCallBack());
                RawPeer client = RawPeer.connectedTo(peers.address(), RawPeer.privateData(false))) {
            client.send(Words.withoutChunks(5, 128).call(5, 1).and(0, 0));
            int first = client.receive()[0];
            client.send(Words.withoutChunks(6, 128).call(6, 1).and(0, 0));
            client.awaitSilence();

            client.send(echoed(first, 1));
            assertThat(List.of(client.receive()[0], client.receive()[0])).contains(5);
            client.send(Words.withoutChunks(7, 128).call(7, 1).and(0, 0));
            client.awaitSilence();
        }
    }

    /** The reply to an empty ECHO. */
    private static Words echoed(int xid, int credits) {
        return Words.withoutChunks(xid, credits).reply(xid).and(0);
    }

    /**
     * Each call waits for a backward call, which the client answers when no more arrive: 16 in each direction, and
     * further ones wait.
     */
    @Test
    void bothDirectionsMayUseAllTheirCreditsAtOnce() throws Exception {
        ConnectionOptions sixteen = ConnectionOptions.DEFAULT.withCredits(16);
        BlockingQueue<CompletableFuture<XdrOpaque>> calledBack = new LinkedBlockingQueue<>();
        try (Peers peers = new Peers(putsThatCallBack(), ConnectionOptions.DEFAULT, sixteen)) {
            peers.client.serve(Blobs.service(Blobs.handler(Blobs.ECHO, (args, call) -> {
                CompletableFuture<XdrOpaque> answer = new CompletableFuture<>();
                calledBack.add(answer);
                return answer;
            })));
            List<RpcCall<Long>> calls = new ArrayList<>();
            for (int i = 0; i < 80; i++) {
                calls.add(peers.client.call(Blobs.PUT, Items.of(), Destinations.none(), CallOptions.DEFAULT));
            }

            int most = 0;
            for (int answered = 0; answered < 80; ) {
                List<CompletableFuture<XdrOpaque>> together = new ArrayList<>();
                for (CompletableFuture<XdrOpaque> next = calledBack.poll(20, TimeUnit.SECONDS);
                        next != null;
                        next = calledBack.poll(100, TimeUnit.MILLISECONDS)) {
                    together.add(next);
                }
                together.forEach(answer -> answer.complete(XdrOpaque.EMPTY));
                answered += together.size();
                most = Math.max(most, together.size());
            }

            assertThat(most).isEqualTo(16);
            for (RpcCall<Long> call : calls) {
                assertThat(call.await()).isZero();
            }
        }
    }

    private static RpcService putsThatCallBack() {
        CallOptions small = CallOptions.DEFAULT.withUnboundedReplySize(200);
        return put((args, call) -> {
            call.connection().enableBackwardCalls();
            return call.connection()
                    .call(Blobs.ECHO, XdrOpaque.EMPTY, Destinations.none(), small)
                    .completion()
                    .thenApply(answer -> (long) answer.length());
        });
    }

    @Test
    void aBackwardCallThatDoesNotFitInlineFails() throws Exception {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        RpcService service = put((args, call) -> {
            call.connection().enableBackwardCalls();
            return call.connection()
                    .call(Blobs.ECHO, XdrOpaque.of(new byte[9000]), Destinations.none(), CallOptions.DEFAULT)
                    .completion()
                    .handle((answer, refused) -> {
                        failure.complete(refused);
                        return 1L;
                    });
        });
        try (Peers peers = new Peers(service)) {
            put(peers, Payload.of(Blobs.pattern(1)));

            assertThat(failure.get())
                    .cause()
                    .isInstanceOfSatisfying(
                            RpcException.class,
                            refused -> assertThat(refused.kind()).isEqualTo(Kind.NO_RESOURCES));
        }
    }

    @Test
    void manyCallsOfAllFormsShareAConnection() throws Exception {
        ConnectionOptions few = ConnectionOptions.DEFAULT.withCredits(7);
        try (Peers peers = new Peers(Blobs.service(), few, ConnectionOptions.DEFAULT)) {
            List<RpcCall<Long>> puts = new ArrayList<>();
            List<RpcCall<Items>> gets = new ArrayList<>();
            List<RpcCall<XdrOpaque>> echoes = new ArrayList<>();
            for (int i = 1; i <= 150; i++) {
                puts.add(peers.client.call(
                        Blobs.PUT,
                        Items.of(Payload.of(Blobs.pattern(i * 101))),
                        Destinations.none(),
                        CallOptions.DEFAULT));
                gets.add(peers.client.call(Blobs.GET, List.of(i * 99L, 7L), Destinations.none(), CallOptions.DEFAULT));
                echoes.add(peers.client.call(
                        Blobs.ECHO, XdrOpaque.of(new byte[i * 50]), Destinations.none(), CallOptions.DEFAULT));
                if (i % 10 == 0) {
                    peers.client
                            .call(Blobs.GET, List.of(100_000L), Destinations.none(), CallOptions.DEFAULT)
                            .cancel();
                }
            }
            for (int i = 1; i <= 150; i++) {
                assertThat(puts.get(i - 1).await()).isEqualTo(i * 101L);
                assertThat(gets.get(i - 1).await().items().get(0).buffer()).isEqualTo(Blobs.pattern(i * 99));
                assertThat(echoes.get(i - 1).await().length()).isEqualTo(i * 50);
            }
        }
    }

    /** A payload of more bytes than a buffer can have. */
    private record Endless(long length) implements Payload {
        @Override
        public ByteBuffer buffer() throws IOException {
            throw new IOException("no buffer is that long");
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            return CompletableFuture.failedFuture(new IOException("no buffer is that long"));
        }
    }

    private static RpcService put(RpcService.AsyncHandling<Items, Long> body) {
        return Blobs.service(Blobs.handler(Blobs.PUT, body));
    }

    private static RpcService get(RpcService.AsyncHandling<List<Long>, Items> body) {
        return Blobs.service(Blobs.handler(Blobs.GET, body));
    }

    private static long put(Peers peers, Payload... items) throws Exception {
        return Blobs.put(peers.client, items);
    }
}
