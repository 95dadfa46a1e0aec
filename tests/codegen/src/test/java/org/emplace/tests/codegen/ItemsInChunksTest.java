// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.emplace.Rpc;
import org.emplace.RpcServer;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.ServerCall;
import org.emplace.tests.codegen.constructs.BlockOfNumbers;
import org.emplace.tests.codegen.constructs.Cell;
import org.emplace.tests.codegen.constructs.NumberBlocks;
import org.emplace.tests.codegen.constructs.Page;
import org.emplace.tests.codegen.constructs.PiecesArgs;
import org.emplace.tests.codegen.constructs.Sheet;
import org.emplace.tests.codegen.constructs.Values1Client;
import org.emplace.tests.codegen.constructs.Values1Server;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrLongs;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;
import org.emplace.xdr.XdrValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Eligible items other than bytes, moved as chunks over a connection with little room inline. */
class ItemsInChunksTest {
    private static final ConnectionOptions LITTLE_ROOM = ConnectionOptions.DEFAULT.withInlineThreshold(1024);

    private final BlockingQueue<CallReport> reports = new LinkedBlockingQueue<>();
    private RpcServer server;
    private RpcConnection connection;
    private Values1Client client;

    @BeforeEach
    void connect() throws Exception {
        server = RpcServer.builder()
                .service(Values1Server.service(new Mirror()))
                .options(LITTLE_ROOM)
                .listen(URI.create("rdma://127.0.0.1:0"))
                .start();
        connection = Rpc.connect(
                URI.create("rdma://127.0.0.1:" + server.addresses().get(0).getPort()),
                LITTLE_ROOM.withObserver(reports::add));
        client = Values1Client.on(connection, CallOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    @Test
    void anArrayAndOptionalDataGoByReadAndWriteChunks() throws Exception {
        Sheet sheet = new Sheet(cells(40), Optional.of(page()), 7);

        assertThat(client.sheet(sheet)).isEqualTo(sheet);

        CallReport report = reports.take();
        assertThat(report.readChunkBytes()).isEqualTo(encoded(cells(40)) + encoded(List.of(page())));
        assertThat(report.writeChunkBytes()).isEqualTo(encoded(cells(40)) + encoded(List.of(page())));
        assertThat(report.positionZeroBytes() + report.replyChunkBytes()).isZero();
    }

    @Test
    void whatIsAbsentOrEmptyHasNoChunk() throws Exception {
        Sheet onlyOptional = new Sheet(List.of(), Optional.of(page()), 8);
        Sheet onlyArray = new Sheet(cells(30), Optional.empty(), 9);

        assertThat(client.sheet(onlyOptional)).isEqualTo(onlyOptional);
        assertThat(reports.take().writeChunkBytes()).isEqualTo(encoded(List.of(page())));
        assertThat(client.sheet(onlyArray)).isEqualTo(onlyArray);
        assertThat(reports.take().readChunkBytes()).isEqualTo(encoded(cells(30)));
    }

    @Test
    void arraysOfNumbersGoByWriteChunks() throws Exception {
        XdrUnsignedInts sizes = XdrUnsignedInts.of(
                Collections.nCopies(60, 16L).stream().mapToLong(each -> each).toArray());

        NumberBlocks got = client.pieces(new PiecesArgs(sizes), List.of());

        assertThat(got.all())
                .hasSize(60)
                .allSatisfy(block -> assertThat(
                                block.numbers().buffer().asLongBuffer().get(1))
                        .isEqualTo(16));
        assertThat(reports.take().writeChunkBytes())
                .as("as many as the header has room for")
                .isPositive();
    }

    private static List<Cell> cells(int count) {
        return Collections.nCopies(
                count, new Cell(3, XdrString.of("as long as it takes to fill the message, and odd")));
    }

    private static Page page() {
        long[] numbers = new long[120];
        numbers[119] = -1;
        return new Page(XdrLongs.of(numbers), new Cell(1, XdrString.of("one")));
    }

    private static long encoded(List<? extends XdrValue> values) {
        return values.stream()
                .mapToLong(value -> Wire.encoded(value).unreducedLength())
                .sum();
    }

    /** Answers what it was sent. */
    private static final class Mirror implements Values1Server {
        @Override
        public Sheet sheet(Sheet args, ServerCall call) {
            return args;
        }

        @Override
        public NumberBlocks pieces(PiecesArgs args, ServerCall call) {
            ByteBuffer block = ByteBuffer.allocateDirect(16).putLong(8, 16);
            return new NumberBlocks(
                    Collections.nCopies(args.sizes().toArray().length, new BlockOfNumbers(Payload.of(block))));
        }
    }
}
