// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.emplace.interop.RecordedClient.Answer;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcServer;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What a Linux client sent to a Linux server, sent to ours: the replies have to be the same. */
class LinuxClientReplayTest {
    /** Where a Send has its credits, and an MPA reply its inbound and outbound read depth. */
    private static final int CREDITS = 8;

    private static final int READ_DEPTHS = 20;

    private final Recording recording = Recording.ofLinux();
    private RpcServer server;

    @BeforeEach
    void serve() throws RpcException {
        server = RpcServer.builder()
                .service(new LinuxAnswers(recording).service())
                .listen(URI.create("rdma://127.0.0.1:0"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theConnectionIsSetUpAsLinuxSetsItUpButForTheReadDepths() throws IOException {
        try (RecordedClient client = new RecordedClient(server.addresses().get(0))) {
            assertThat(hexWithoutReadDepths(client.connect(recording)))
                    .isEqualTo(hexWithoutReadDepths(recording.mpaReply()));
        }
    }

    @TestFactory
    List<DynamicTest> everyCallIsAnsweredAsLinuxAnsweredIt() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (RecordedClient client = new RecordedClient(server.addresses().get(0))) {
            client.connect(recording);
            for (Exchange exchange : recording.exchanges()) {
                Answer ours = client.call(exchange);
                Answer linux = Answer.recorded(exchange);
                String name = "call 0x%08x".formatted(exchange.xid());
                tests.add(DynamicTest.dynamicTest(name, () -> {
                    assertThat(hexWithoutCredits(ours.send())).isEqualTo(hexWithoutCredits(linux.send()));
                    assertThat(ours.written()).isEqualTo(linux.written());
                }));
            }
        }
        return tests;
    }

    private static String hexWithoutReadDepths(XdrOpaque mpaReply) {
        byte[] bytes = mpaReply.bytes();
        ByteBuffer.wrap(bytes).putInt(READ_DEPTHS, 0);
        return HexFormat.of().formatHex(bytes);
    }

    private static String hexWithoutCredits(ByteBuffer message) {
        byte[] bytes = Exchange.bytesOf(message);
        ByteBuffer.wrap(bytes).putInt(CREDITS, 0);
        return HexFormat.of().formatHex(bytes);
    }
}
