// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.specs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.ServerCall;
import org.emplace.tests.specs.nfs41.Compound4Args;
import org.emplace.tests.specs.nfs41.Compound4Res;
import org.emplace.tests.specs.nfs41.Nfs4CompoundOperations;
import org.emplace.tests.specs.nfs41.Nfs4Server;
import org.emplace.tests.specs.nfs41.NfsArgop4;
import org.emplace.tests.specs.nfs41.NfsOpnum4;
import org.emplace.tests.specs.nfs41.Nfsstat4;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;

/** Operations that the server's definitions lack are answered with OP_ILLEGAL (RFC 8881 section 15.1.3.4), whatever their arguments. Tests the words sent over TCP. */
class UndefinedOperationTest {
    private static final int LAST_FRAGMENT = 1 << 31;

    private static final String CALL =
            "00000007 00000000 00000002 000186a3 00000004 00000001 00000000 00000000 00000000 00000000 ";
    private static final String ACCEPTED = "00000007 00000001 00000000 00000000 00000000 ";
    private static final String SUCCESS = ACCEPTED + "00000000 ";
    private static final String GARBAGE_ARGS = ACCEPTED + "00000004";

    /** No tag, minor version 1. */
    private static final String COMPOUND = "00000000 00000001 ";

    private static final String PUTROOTFH = "00000018 ";
    private static final String GETFH = "0000000a ";
    private static final String UNKNOWN = "0000270f ";
    private static final String TEXT = "00000003 61626300 ";
    private static final String ILLEGAL = "0000273c ";

    private final RpcService operations = Nfs4Server.service(Nfs4CompoundOperations.server(new CompoundFiles()));

    @Test
    void operationsBeforeItAreRunAndItIsIllegal() throws IOException {
        assertThat(answer(operations, COMPOUND + "00000003 " + PUTROOTFH + UNKNOWN + TEXT + GETFH))
                .isEqualTo(SUCCESS + ILLEGAL + "00000000 00000002 " + PUTROOTFH + "00000000 " + ILLEGAL + "0000273c");
    }

    @Test
    void itMayBeTheOnlyOne() throws IOException {
        assertThat(answer(operations, COMPOUND + "00000001 " + UNKNOWN + TEXT))
                .isEqualTo(SUCCESS + ILLEGAL + "00000000 00000001 " + ILLEGAL + "0000273c");
    }

    @Test
    void argumentsThatLookLikeOperationsAreNotRun() throws IOException {
        assertThat(answer(operations, COMPOUND + "00000003 " + UNKNOWN + PUTROOTFH + PUTROOTFH + GETFH))
                .isEqualTo(SUCCESS + ILLEGAL + "00000000 00000001 " + ILLEGAL + "0000273c");
    }

    @Test
    void aMessageThatIsMalformedBeforeItIsRefused() throws IOException {
        String lookup = "0000000f 00000100 ";
        assertThat(answer(operations, COMPOUND + "00000002 " + lookup + UNKNOWN))
                .isEqualTo(GARBAGE_ARGS);
        assertThat(answer(operations, COMPOUND + "00000002 " + PUTROOTFH + PUTROOTFH + TEXT))
                .isEqualTo(GARBAGE_ARGS);
    }

    @Test
    void aPlainServerSeesTheOperationsUpToIt() throws IOException {
        List<List<NfsArgop4>> seen = new ArrayList<>();
        RpcService plain = Nfs4Server.service(new Nfs4Server() {
            @Override
            public Compound4Res compound(Compound4Args args, ServerCall call) {
                seen.add(args.argarray());
                return new Compound4Res(Nfsstat4.NFS4ERR_OP_ILLEGAL, XdrOpaque.EMPTY, List.of());
            }
        });
        NfsArgop4 undefined = new NfsArgop4.Default(NfsOpnum4.of(0x270f));

        answer(plain, COMPOUND + "00000003 " + PUTROOTFH + UNKNOWN + TEXT + GETFH);
        answer(plain, COMPOUND + "00000002 " + UNKNOWN + PUTROOTFH);

        assertThat(seen)
                .containsExactly(
                        List.of(new NfsArgop4.PutRootFh(), undefined), List.of(undefined, new NfsArgop4.PutRootFh()));
    }

    /** The reply to a COMPOUND call with these arguments. */
    private static String answer(RpcService service, String arguments) throws IOException {
        byte[] message = HexFormat.of().parseHex((CALL + arguments).replace(" ", ""));
        try (RpcServer server = RpcServer.builder()
                        .service(service)
                        .listen(URI.create("tcp://127.0.0.1:0"))
                        .start();
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(),
                        server.addresses().get(0).getPort())) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(LAST_FRAGMENT | message.length);
            out.write(message);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] reply = new byte[in.readInt() & ~LAST_FRAGMENT];
            in.readFully(reply);
            return HexFormat.of().formatHex(reply).replaceAll("(.{8})(?=.)", "$1 ");
        }
    }
}
