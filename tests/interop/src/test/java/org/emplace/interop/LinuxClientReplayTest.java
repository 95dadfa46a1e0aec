// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.emplace.RpcServer;
import org.emplace.interop.RecordedClient.Answer;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcException;
import org.emplace.samples.nfs.protocol.Nfs3;
import org.emplace.tests.specs.nfs42.Nfs4;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays a Linux client's session with a Linux server to our server, whose replies must be the same. */
class LinuxClientReplayTest {
    /** The offsets of the credits in a Send, and of the inbound and outbound read depths in an MPA reply. */
    private static final int CREDITS = 8;

    private static final int READ_DEPTHS = 20;

    private static final Mount NFS_3 = new Mount(
            "linux-nfs3-iwarp.txt",
            List.of(
                    Nfs3.NULL,
                    Nfs3.GETATTR,
                    Nfs3.LOOKUP,
                    Nfs3.ACCESS,
                    Nfs3.READLINK,
                    Nfs3.READ,
                    Nfs3.WRITE,
                    Nfs3.CREATE,
                    Nfs3.REMOVE,
                    Nfs3.RENAME,
                    Nfs3.READDIRPLUS,
                    Nfs3.FSINFO,
                    Nfs3.PATHCONF));
    private static final Mount NFS_42 = new Mount("linux-nfs42-iwarp.txt", List.of(Nfs4.NULL, Nfs4.COMPOUND));

    /** A recorded mount and the procedures called. */
    private record Mount(String recording, List<Procedure<?, ?>> procedures) {
        RpcServer serve(Recording recorded) throws RpcException {
            return RpcServer.builder()
                    .options(ConnectionOptions.DEFAULT.withInlineThreshold(4096)) // Linux's
                    .service(new LinuxAnswers(recorded, procedures).service())
                    .listen(URI.create("rdma://127.0.0.1:0"))
                    .start();
        }

        @Override
        public String toString() {
            return recording;
        }
    }

    static List<Mount> mounts() {
        return List.of(NFS_3, NFS_42);
    }

    @ParameterizedTest
    @MethodSource("mounts")
    void theConnectionIsSetUpAsLinuxSetsItUpButForTheReadDepths(Mount mount) throws Exception {
        Recording recording = Recording.ofLinux(mount.recording());
        try (RpcServer server = mount.serve(recording);
                RecordedClient client = new RecordedClient(server.addresses().get(0))) {
            assertThat(hexWithoutReadDepths(client.connect(recording)))
                    .isEqualTo(hexWithoutReadDepths(recording.mpaReply()));
        }
    }

    @ParameterizedTest
    @MethodSource("mounts")
    void everyCallIsAnsweredAsLinuxAnsweredIt(Mount mount) throws Exception {
        Recording recording = Recording.ofLinux(mount.recording());
        try (RpcServer server = mount.serve(recording);
                RecordedClient client = new RecordedClient(server.addresses().get(0))) {
            client.connect(recording);
            for (Exchange exchange : recording.exchanges()) {
                Answer ours = client.call(exchange);
                Answer linux = Answer.recorded(exchange);
                assertThat(hexWithoutCredits(ours.send()))
                        .as("call 0x%08x", exchange.xid())
                        .isEqualTo(hexWithoutCredits(linux.send()));
                assertThat(ours.written())
                        .as("memory written for call 0x%08x", exchange.xid())
                        .isEqualTo(linux.written());
            }
        }
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
