// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpcrdma.Blobs.pattern;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.ServerCall;
import org.emplace.tests.codegen.absence.Absence1;
import org.emplace.tests.codegen.absence.Absence1Client;
import org.emplace.tests.codegen.absence.Absence1Server;
import org.emplace.tests.codegen.absence.Crate;
import org.emplace.tests.codegen.absence.End;
import org.emplace.tests.codegen.absence.Ends;
import org.emplace.tests.codegen.absence.Jam;
import org.emplace.tests.codegen.absence.Job;
import org.emplace.tests.codegen.absence.Outcome;
import org.emplace.tests.codegen.absence.Reading;
import org.emplace.tests.codegen.absence.Shift;
import org.emplace.tests.codegen.absence.Slip;
import org.emplace.tests.codegen.absence.TearResult;
import org.emplace.tests.codegen.absence.Torn;
import org.emplace.xdr.Payload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results with more items than the call has destinations for, or other ones. */
class UnnamedElementsTest {

    /** Returns as many slips as the argument says; the third READ_IT jams. */
    private static final class Server implements Absence1Server {
        @Override
        public Crate crate(long slips, ServerCall call) {
            return new Crate(
                    LongStream.range(0, slips)
                            .mapToObj(i -> new Slip(Payload.of(pattern(60))))
                            .toList(),
                    Payload.of(pattern(20_000)));
        }

        @Override
        public Ends shift(Shift args, ServerCall call) {
            return new Ends(IntStream.range(0, args.jobs().size())
                    .mapToObj(i -> (End) new End.ReadIt(i < 2 ? torn(args.jobs().get(i)) : jam()))
                    .toList());
        }

        private static TearResult torn(Job job) {
            return new TearResult.Done(
                    new Torn(Payload.of(pattern((int) ((Job.ReadIt) job).read().count()))));
        }

        private static TearResult jam() {
            return new TearResult.Default(Outcome.MISSING, new Jam(Payload.of(pattern(90)), Payload.of(pattern(80))));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void whatFollowsTheNamedElementsArrivesWhereverItHasToGo(String transport) throws Exception {
        try (Peers peers = new Peers(transport)) {
            for (int slips = 0; slips <= 5; slips++) {
                ByteBuffer[] texts = buffers(2, 61);
                ByteBuffer rest = ByteBuffer.allocateDirect(20_000);
                Crate crate = peers.client.crate(slips, into(texts), Destination.into(rest));

                assertThat(crate.slips()).hasSize(slips);
                for (int i = 0; i < slips; i++) {
                    assertThat(crate.slips().get(i).text().buffer()).isEqualTo(pattern(60));
                    assertThat(i >= 2 || texts[i].slice(0, 60).equals(pattern(60)))
                            .isTrue();
                }
                assertThat(rest).isEqualTo(pattern(20_000));
                assertThat(crate.rest().buffer()).isEqualTo(pattern(20_000));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void anOperationMayHaveMoreItemsIfItFails(String transport) throws Exception {
        try (Peers peers = new Peers(transport)) {
            ByteBuffer[] data = buffers(3, 4000);
            Ends ends = peers.client.shift(
                    new Shift(List.of(read(4000), read(4000), read(4000))),
                    new Absence1.ShiftDestinations(into(data), List.of(), List.of()));

            assertThat(data[0]).isEqualTo(pattern(4000));
            assertThat(data[1]).isEqualTo(pattern(4000));
            Jam why = ((TearResult.Default) ((End.ReadIt) ends.results().get(2)).read()).why();
            assertThat(why.reason().buffer()).isEqualTo(pattern(90));
            assertThat(why.remedy().buffer()).isEqualTo(pattern(80));
        }
    }

    private static Job read(int count) {
        return new Job.ReadIt(new Reading(count));
    }

    private static ByteBuffer[] buffers(int count, int size) {
        ByteBuffer[] buffers = new ByteBuffer[count];
        Arrays.setAll(buffers, i -> ByteBuffer.allocateDirect(size));
        return buffers;
    }

    private static List<Destination> into(ByteBuffer... buffers) {
        return Arrays.stream(buffers).map(Destination::into).toList();
    }

    /** A server, and a client that is connected to it. */
    private static final class Peers implements AutoCloseable {
        private final RpcServer server;
        private final RpcConnection connection;
        final Absence1Client client;

        Peers(String transport) throws IOException {
            server = RpcServer.builder()
                    .service(Absence1Server.service(new Server()))
                    .listen(URI.create(transport + "://127.0.0.1:0"))
                    .start();
            connection = Rpc.connect(
                    URI.create(transport + "://127.0.0.1:"
                            + server.addresses().get(0).getPort()),
                    ConnectionOptions.DEFAULT);
            client = Absence1Client.on(connection);
        }

        @Override
        public void close() {
            connection.close();
            server.close();
        }
    }
}
