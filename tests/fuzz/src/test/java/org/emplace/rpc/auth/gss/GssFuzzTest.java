// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.DiscardedCallException;
import org.emplace.rpc.auth.ServerAuth.OwnCall;
import org.emplace.rpc.message.MessageHeader.CallHeader;
import org.emplace.tests.fuzz.Fuzzing;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrException;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** RPCSEC_GSS of whoever has no ticket: credentials, tokens and bodies are refused by the designed exceptions, and make no context. */
class GssFuzzTest {
    private static final String REALM = "EXAMPLE.ORG";

    @TempDir
    private static Path directory;

    private static GssServer server;

    @BeforeAll
    static void openServer() throws Exception {
        KerberosPrincipal self = new KerberosPrincipal("nfs/localhost@" + REALM);
        Path keys = Files.write(directory.resolve("keytab"), keytab());
        Set<KeyTab> secret = Set.of(KeyTab.getInstance(self, keys.toFile()));
        Subject subject = new Subject(true, Set.of(self), Set.of(), secret);
        server = new GssServer(GssCredentials.of(subject), EnumSet.allOf(GssService.class));
    }

    /** One entry, as keytab(5) of MIT's Kerberos describes the file: an AES key of zeros. */
    private static byte[] keytab() {
        ByteBuffer entry = ByteBuffer.allocate(100).putShort((short) 2);
        for (String each : new String[] {REALM, "nfs", "localhost"}) {
            entry.putShort((short) each.length()).put(each.getBytes(StandardCharsets.US_ASCII));
        }
        entry.putInt(1)
                .putInt(0)
                .put((byte) 1)
                .putShort((short) 17)
                .putShort((short) 16)
                .put(new byte[16]);
        return ByteBuffer.allocate(6 + entry.flip().remaining())
                .putShort((short) 0x0502)
                .putInt(entry.remaining())
                .put(entry)
                .array();
    }

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void callsWithoutATicketAreRefused(byte[] bytes) {
        try {
            XdrDecoder in = new XdrDecoder(ByteBuffer.wrap(bytes));
            CallHeader header = CallHeader.decode(in);
            OwnCall creation = server.accept(header.credential(), header.verifier(), header::upToCredential)
                    .ownCall();
            if (creation != null) {
                creation.answer(in, InetAddress.getLoopbackAddress());
            }
        } catch (XdrException | AuthException | DiscardedCallException refused) {
            // What a peer may bring about.
        }
        if (server.contexts() > 0) {
            throw new AssertionError("a context without a ticket");
        }
    }

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void bodiesWithoutAKeyAreRefused(FuzzedDataProvider data) throws GSSException {
        GssService service = data.pickValue(new GssService[] {GssService.INTEGRITY, GssService.PRIVACY});
        SecurityContext context = new SecurityContext(GSSManager.getInstance().createContext((GSSCredential) null));
        try {
            context.unprotect(service, 1, new XdrDecoder(ByteBuffer.wrap(data.consumeRemainingAsBytes())));
            throw new AssertionError("a body that nobody has protected");
        } catch (XdrException refused) {
            // What a peer may bring about.
        }
    }
}
