// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.emplace.Rpc;
import org.emplace.rpc.RpcConnection;
import org.emplace.samples.nfs.protocol.v4.ChannelAttrs4;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Compound4Res;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Sessionid4;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrUnsignedInts;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions of version 4.1 and the rules of COMPOUNDs, by the generated client, over TCP and software iWARP. */
final class Nfs4SessionsTest {
    @AutoClose
    private final Served4 served;

    private final Path first;

    Nfs4SessionsTest(@TempDir Path temporary) throws IOException {
        served = new Served4(temporary);
        first = served.first;
    }

    /** The reply is kept without the transport's framing: the other transport sends the bytes as it sends any. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aRetryByTheOtherTransportGetsTheKeptReply(String transport) throws Exception {
        byte[] content = Served4.bytes(1500, 3);
        Files.write(first.resolve("file"), content);
        try (Client4 client = served.client(transport, "retry");
                RpcConnection other = Rpc.connect(served.address(transport.equals("tcp") ? "rdma" : "tcp"))) {
            Nfs4CompoundCall call = client.at(first, true);
            Compound4Res reply = renameAndRead(call);
            assertThat(reply.status()).isEqualTo(Nfsstat4.NFS4_OK);
            Files.write(first.resolve("renamed"), Served4.bytes(1500, 4));

            Nfs4CompoundCall again = client.call(Client4.on(other), client.sequence(), true);
            Compound4Res retried = renameAndRead(Client4.walk(again, first));
            assertThat(withBytes(retried)).isEqualTo(withBytes(reply));
        }
    }

    private static Compound4Res renameAndRead(Nfs4CompoundCall call) throws Exception {
        call.saveFh();
        call.rename(Component4.of("file"), Component4.of("renamed"));
        call.lookup(Component4.of("renamed"));
        call.read(Client4.ANONYMOUS, 0, 1500, null);
        return call.await();
    }

    private static byte[] withBytes(Compound4Res reply) throws IOException {
        XdrEncoder out = XdrEncoder.onHeap();
        reply.encode(out);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (ByteBuffer piece : out.finish().unreduced()) {
            byte[] copy = new byte[piece.remaining()];
            piece.get(copy);
            all.write(copy);
        }
        return all.toByteArray();
    }

    @Test
    void aReplyThatWasNotKeptIsNotRepeated() throws Exception {
        try (Client4 client = served.client("tcp", "uncached")) {
            Nfs4CompoundCall call = client.at(first, false);
            assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            Nfs4CompoundCall again = Client4.walk(client.call(client.nfs, client.sequence(), false), first);
            Compound4Res reply = again.await();
            assertThat(reply.status()).isEqualTo(Nfsstat4.NFS4ERR_RETRY_UNCACHED_REP);
            assertThat(reply.resarray()).hasSize(2);
        }
    }

    @Test
    void aRefusedSequenceIsAsIfItHadNotCome() throws Exception {
        try (Client4 client = served.client("tcp", "refused")) {
            ChannelAttrs4 nothingKept = new ChannelAttrs4(0, 8192, 8192, 0, 16, 8, XdrUnsignedInts.of());
            Sessionid4 session = client.createSession(2, nothingKept).csrSessionid();
            Nfs4CompoundCall kept = client.nfs.compound(XdrOpaque.EMPTY, 1);
            kept.sequence(session, 1, 0, 0, true);
            assertThat(kept.await().status()).isEqualTo(Nfsstat4.NFS4ERR_REP_TOO_BIG_TO_CACHE);
            Nfs4CompoundCall next = client.nfs.compound(XdrOpaque.EMPTY, 1);
            next.sequence(session, 1, 0, 0, false);
            next.putRootFh();
            assertThat(next.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
        }
    }

    @Test
    void aRetryIsOfTheSameUserAndAsksForTheSame() throws Exception {
        try (Client4 client = served.client("tcp", "same")) {
            assertThat(client.at(first, true).await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            Nfs4CompoundCall unkept = client.call(client.nfs, client.sequence(), false);
            assertThat(Client4.walk(unkept, first).await().status()).isEqualTo(Nfsstat4.NFS4ERR_SEQ_FALSE_RETRY);
            Nfs4CompoundCall byAnother = client.call(Client4.on(client.connection, 1), client.sequence(), true);
            assertThat(Client4.walk(byAnother, first).await().status()).isEqualTo(Nfsstat4.NFS4ERR_SEQ_FALSE_RETRY);
        }
    }

    @Test
    void theRulesOfCompoundsHold() throws Exception {
        try (Client4 client = served.client("tcp", "rules")) {
            Nfs4CompoundCall outside = client.nfs.compound(XdrOpaque.EMPTY, 1);
            outside.putRootFh();
            assertThat(outside.await().status()).isEqualTo(Nfsstat4.NFS4ERR_OP_NOT_IN_SESSION);

            for (int minor : new int[] {0, 3}) {
                Nfs4CompoundCall other = client.nfs.compound(XdrOpaque.ofUtf8("tag"), minor);
                other.putRootFh();
                Compound4Res reply = other.await();
                assertThat(reply.status()).isEqualTo(Nfsstat4.NFS4ERR_MINOR_VERS_MISMATCH);
                assertThat(reply.resarray()).isEmpty();
                assertThat(reply.tag().utf8()).isEqualTo("tag");
            }

            Nfs4CompoundCall longTag = client.nfs.compound(XdrOpaque.of(new byte[1025]), 1);
            longTag.sequence(client.session, 2, 0, 0, false);
            assertThat(longTag.await().status()).isEqualTo(Nfsstat4.NFS4ERR_INVAL);

            Nfs4CompoundCall twice = client.call(false);
            twice.sequence(client.session, 1, 1, 1, false);
            assertThat(twice.await().status()).isEqualTo(Nfsstat4.NFS4ERR_SEQUENCE_POS);

            Nfs4CompoundCall notAlone = client.nfs.compound(XdrOpaque.EMPTY, 1);
            notAlone.destroySession(client.session);
            notAlone.putRootFh();
            assertThat(notAlone.await().status()).isEqualTo(Nfsstat4.NFS4ERR_NOT_ONLY_OP);

            Nfs4CompoundCall many = client.call(false);
            for (int i = 0; i < 16; i++) {
                many.putRootFh();
            }
            assertThat(many.await().status()).isEqualTo(Nfsstat4.NFS4ERR_TOO_MANY_OPS);

            Nfs4CompoundCall unsupported = client.call(client.nfs, client.sequence(), false);
            unsupported.putRootFh();
            var attributes = unsupported.openattr(false);
            unsupported.getFh();
            assertThat(unsupported.await().status()).isEqualTo(Nfsstat4.NFS4ERR_NOTSUPP);
            assertThat(attributes.failure()).isPresent();

            Nfs4CompoundCall illegal = client.call(false);
            illegal.illegal();
            assertThat(illegal.await().status()).isEqualTo(Nfsstat4.NFS4ERR_OP_ILLEGAL);

            Nfs4CompoundCall noHandle = client.call(false);
            noHandle.getFh();
            assertThat(noHandle.await().status()).isEqualTo(Nfsstat4.NFS4ERR_NOFILEHANDLE);
        }
    }

    /** Linux does not mount otherwise. */
    @Test
    void repliesOfTheBackChannelAreAsLongAsTheClientOffers() throws Exception {
        try (Client4 client = served.client("tcp", "back")) {
            assertThat(client.created.csrBackChanAttrs().caMaxresponsesize())
                    .isEqualTo(Client4.BACK.caMaxresponsesize());
        }
    }
}
