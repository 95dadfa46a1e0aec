// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.emplace.rpc.Procedure;
import org.emplace.tests.codegen.random.CodedType;
import org.emplace.tests.specs.rpc.CallBody;
import org.emplace.tests.specs.rpc.RpcMsg;
import org.emplace.tests.specs.rpc.RpcMsgBody;
import org.emplace.xdr.XdrCodec;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.junit.jupiter.api.Test;

/** Every message between Linux's NFSv4 client and server can be decoded, and encoded to the same bytes. */
class LinuxNfs4Test {

    @Test
    void version40() throws Exception {
        Messages seen = new Messages(
                List.of(org.emplace.tests.specs.nfs40.Nfs4.NULL, org.emplace.tests.specs.nfs40.Nfs4.COMPOUND));

        seen.check(RecordedMessages.overTcp("linux-nfs40-tcp.txt"));

        assertThat(seen.procedures).containsExactly("NFSPROC4_COMPOUND", "NFSPROC4_NULL");
    }

    @Test
    void version41WithItsCallbacks() throws Exception {
        Messages seen = new Messages(List.of(
                org.emplace.tests.specs.nfs41.Nfs4.NULL,
                org.emplace.tests.specs.nfs41.Nfs4.COMPOUND,
                org.emplace.tests.specs.nfs41.Nfs4Callback.COMPOUND));

        seen.check(RecordedMessages.overTcp("linux-nfs41-tcp.txt"));

        assertThat(seen.procedures).containsExactly("CB_COMPOUND", "NFSPROC4_COMPOUND", "NFSPROC4_NULL");
    }

    @Test
    void version42OverRdmaWithItsCallbacks() throws Exception {
        Messages seen = new Messages(List.of(
                org.emplace.tests.specs.nfs42.Nfs4.NULL,
                org.emplace.tests.specs.nfs42.Nfs4.COMPOUND,
                org.emplace.tests.specs.nfs42.Nfs4Callback.COMPOUND));

        seen.check(RecordedMessages.overIwarp("linux-nfs42-iwarp.txt"));

        assertThat(seen.procedures).containsExactly("CB_COMPOUND", "NFSPROC4_COMPOUND", "NFSPROC4_NULL");
    }

    /** Checks messages and records their procedures. */
    private static final class Messages {
        private final List<Procedure<?, ?>> known;
        private final Set<String> procedures = new TreeSet<>();

        Messages(List<Procedure<?, ?>> known) {
            this.known = known;
        }

        void check(RecordedMessages messages) throws IOException {
            Map<Long, Procedure<?, ?>> calls = new TreeMap<>();
            checkCalls(messages.fromClient(), calls);
            checkReplies(messages.fromServer(), calls);
            Map<Long, Procedure<?, ?>> callbacks = new TreeMap<>();
            checkCalls(messages.fromServer(), callbacks);
            checkReplies(messages.fromClient(), callbacks);
        }

        private void checkCalls(List<ByteBuffer> messages, Map<Long, Procedure<?, ?>> calls) throws IOException {
            for (ByteBuffer message : messages) {
                XdrDecoder in = new XdrDecoder(message.duplicate());
                RpcMsg header = RpcMsg.decode(in);
                if (header.body() instanceof RpcMsgBody.Call call) {
                    Procedure<?, ?> procedure = procedure(call.cbody());
                    procedures.add(procedure.name());
                    calls.put(header.xid(), procedure);
                    recode(procedure.arguments(), in, message, header);
                }
            }
        }

        private static void checkReplies(List<ByteBuffer> messages, Map<Long, Procedure<?, ?>> calls)
                throws IOException {
            for (ByteBuffer message : messages) {
                XdrDecoder in = new XdrDecoder(message.duplicate());
                RpcMsg header = RpcMsg.decode(in);
                if (header.body() instanceof RpcMsgBody.Reply) {
                    Procedure<?, ?> procedure = Objects.requireNonNull(calls.get(header.xid()));
                    recode(procedure.results(), in, message, header);
                }
            }
        }

        private Procedure<?, ?> procedure(CallBody call) {
            return known.stream()
                    .filter(each -> each.program().number() == call.prog()
                            && each.program().version() == call.vers()
                            && each.number() == call.proc())
                    .findFirst()
                    .orElseThrow();
        }

        /** Checks that header and body are encoded to the message again. */
        private static <T> void recode(XdrCodec<T> codec, XdrDecoder in, ByteBuffer message, RpcMsg header)
                throws IOException {
            T body = codec.reader().read(in);
            in.requireEnd();
            XdrEncoder out = XdrEncoder.onHeap();
            header.encode(out);
            codec.writer().write(out, body);
            assertThat(CodedType.hex(out.finish()))
                    .as("xid 0x%08x", header.xid())
                    .isEqualTo(HexFormat.of().formatHex(Exchange.bytesOf(message)));
        }
    }
}
