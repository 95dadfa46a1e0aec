// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.emplace.Rpc;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RpcConnection;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.ChannelAttrs4;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Compound4Res;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Createtype4;
import org.emplace.samples.nfs.protocol.v4.Entry4;
import org.emplace.samples.nfs.protocol.v4.Fattr4;
import org.emplace.samples.nfs.protocol.v4.Locker4;
import org.emplace.samples.nfs.protocol.v4.Lockt4Res;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.NfsFh4;
import org.emplace.samples.nfs.protocol.v4.NfsFtype4;
import org.emplace.samples.nfs.protocol.v4.NfsLockType4;
import org.emplace.samples.nfs.protocol.v4.NfsResop4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Nfstime4;
import org.emplace.samples.nfs.protocol.v4.OpenToLockOwner4;
import org.emplace.samples.nfs.protocol.v4.Sessionid4;
import org.emplace.samples.nfs.protocol.v4.Settime4;
import org.emplace.samples.nfs.protocol.v4.StableHow4;
import org.emplace.samples.nfs.protocol.v4.Stateid4;
import org.emplace.samples.nfs.protocol.v4.Verifier4;
import org.emplace.samples.nfs.server.NfsServer.Capacity;
import org.emplace.samples.nfs.server.NfsServer.Protocols;
import org.emplace.samples.nfs.server.NfsServer.Version;
import org.emplace.samples.nfs.server.export.AddressRange;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrBits;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrUnsignedInts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Version 4.1 by the generated client, over TCP and software iWARP. */
final class Nfs4ServerTest {
    private static final int BOTH = Constants.OPEN4_SHARE_ACCESS_BOTH;
    private static final int NONE = Constants.OPEN4_SHARE_DENY_NONE;
    private static final Verifier4 START = new Verifier4(XdrOpaque.of(new byte[8]));

    @TempDir
    private Path temporary;

    private Path above;
    private Path first;
    private NfsServer server;

    @BeforeEach
    void serve() throws IOException {
        above = Files.createDirectory(temporary.resolve("above")).toRealPath();
        first = Files.createDirectory(above.resolve("first"));
        Path second = Files.createDirectory(temporary.resolve("second"));
        List<ExportDefinition> definitions = List.of(
                ExportDefinition.forEverybody(first, Served.OPEN), ExportDefinition.forEverybody(second, Served.OPEN));
        Exports exports = Exports.open(
                definitions,
                temporary.resolve("state"),
                StoreKind.ofThisSystem().opener(2));
        server = NfsServer.start(
                exports,
                List.of(URI.create("tcp://127.0.0.1:0"), URI.create("rdma://127.0.0.1:0")),
                Capacity.DEFAULT.withConnections(16),
                Protocols.DEFAULT.withVersions(Set.of(Version.V3, Version.V4_1)));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private Client4 client(String transport, String name) throws IOException, InterruptedException {
        return new Client4(address(transport), name);
    }

    private URI address(String transport) {
        return server.addresses().get(transport.equals("tcp") ? 0 : 1);
    }

    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Chunks belong to operations wherever these stand. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void oneCallWritesTwoFilesAndReadsThemBack(String transport) throws Exception {
        byte[] one = bytes(100_000, 1);
        byte[] two = bytes(70_001, 2);
        try (Client4 client = client(transport, "writer")) {
            Nfs4CompoundCall write = client.at(first, false);
            write.saveFh();
            client.create(write, "owner", "one", BOTH, NONE);
            var written = write.write(Client4.CURRENT, 0, StableHow4.FILE_SYNC4, Payload.of(ByteBuffer.wrap(one)));
            var handleOfOne = write.getFh();
            write.restoreFh();
            client.create(write, "owner", "two", BOTH, NONE);
            write.write(Client4.CURRENT, 0, StableHow4.UNSTABLE4, Payload.of(ByteBuffer.wrap(two)));
            write.commit(0, 0);
            assertThat(write.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(written.get().count()).isEqualTo(one.length);
            assertThat(Files.readAllBytes(first.resolve("one"))).isEqualTo(one);
            assertThat(Files.readAllBytes(first.resolve("two"))).isEqualTo(two);

            ByteBuffer intoOne = ByteBuffer.allocateDirect(one.length);
            ByteBuffer intoTwo = ByteBuffer.allocateDirect(1 << 17);
            Nfs4CompoundCall read = client.call(false);
            read.putFh(handleOfOne.get().object());
            var oneRead = read.read(Client4.ANONYMOUS, 0, one.length, Destination.into(intoOne));
            read.getattr(Bitmap4.of(Constants.FATTR4_SIZE));
            Client4.walk(read, first).lookup(Component4.of("two"));
            var twoRead = read.read(Client4.ANONYMOUS, 0, 1 << 17, Destination.into(intoTwo));
            assertThat(read.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(oneRead.get().data().buffer()).isEqualTo(ByteBuffer.wrap(one));
            assertThat(twoRead.get().data().buffer()).isEqualTo(ByteBuffer.wrap(two));
            assertThat(twoRead.get().eof()).isTrue();
        }
    }

    /** The reply is kept without the transport's framing: the other transport sends the bytes as it sends any. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aRetryByTheOtherTransportGetsTheKeptReply(String transport) throws Exception {
        byte[] content = bytes(1500, 3);
        Files.write(first.resolve("file"), content);
        try (Client4 client = client(transport, "retry");
                RpcConnection other = Rpc.connect(address(transport.equals("tcp") ? "rdma" : "tcp"))) {
            Nfs4CompoundCall call = client.at(first, true);
            Compound4Res reply = renameAndRead(call);
            assertThat(reply.status()).isEqualTo(Nfsstat4.NFS4_OK);
            Files.write(first.resolve("renamed"), bytes(1500, 4));

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
        try (Client4 client = client("tcp", "uncached")) {
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
        try (Client4 client = client("tcp", "refused")) {
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
        try (Client4 client = client("tcp", "same")) {
            assertThat(client.at(first, true).await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            Nfs4CompoundCall unkept = client.call(client.nfs, client.sequence(), false);
            assertThat(Client4.walk(unkept, first).await().status()).isEqualTo(Nfsstat4.NFS4ERR_SEQ_FALSE_RETRY);
            Nfs4CompoundCall byAnother = client.call(Client4.on(client.connection, 1), client.sequence(), true);
            assertThat(Client4.walk(byAnother, first).await().status()).isEqualTo(Nfsstat4.NFS4ERR_SEQ_FALSE_RETRY);
        }
    }

    @Test
    void anExclusiveOpenOfAnotherUsersFileNeedsRights() throws Exception {
        Files.setPosixFilePermissions(first, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (Client4 client = client("tcp", "exclusive")) {
            Nfs4CompoundCall make = client.at(first, false);
            client.createExclusively(make, "owner", "file", BOTH);
            assertThat(make.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            Nfs4CompoundCall again = client.at(first, false);
            client.createExclusively(again, "owner", "file", BOTH);
            assertThat(again.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            Files.setPosixFilePermissions(first.resolve("file"), Set.of());
            Nfs4CompoundCall other = client.call(Client4.on(client.connection, 1), client.sequence() + 1, false);
            client.createExclusively(Client4.walk(other, first), "owner", "file", BOTH);
            assertThat(other.await().status()).isEqualTo(Nfsstat4.NFS4ERR_ACCESS);
        }
    }

    @Test
    void anOpenThatComesTooEarlyCreatesNothing() throws Exception {
        try (Client4 client = new Client4(address("tcp"), "early", false)) {
            Nfs4CompoundCall early = client.at(first, false);
            client.create(early, "owner", "file", BOTH, NONE);
            assertThat(early.await().status()).isEqualTo(Nfsstat4.NFS4ERR_GRACE);
            assertThat(first).isEmptyDirectory();
        }
    }

    @Test
    void cookiesOneAndTwoAreOfNoListing() throws Exception {
        try (Client4 client = client("tcp", "cookies")) {
            for (Path directory : List.of(first, above)) {
                for (long cookie = 1; cookie <= 2; cookie++) {
                    Nfs4CompoundCall list = client.at(directory, false);
                    list.readdir(cookie, START, 4096, 4096, Bitmap4.of());
                    assertThat(list.await().status()).isEqualTo(Nfsstat4.NFS4ERR_BAD_COOKIE);
                }
            }
        }
    }

    @Test
    void theRulesOfCompoundsHold() throws Exception {
        try (Client4 client = client("tcp", "rules")) {
            Nfs4CompoundCall outside = client.nfs.compound(XdrOpaque.EMPTY, 1);
            outside.putRootFh();
            assertThat(outside.await().status()).isEqualTo(Nfsstat4.NFS4ERR_OP_NOT_IN_SESSION);

            for (int minor : new int[] {0, 2}) {
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
        try (Client4 client = client("tcp", "back")) {
            assertThat(client.created.csrBackChanAttrs().caMaxresponsesize())
                    .isEqualTo(Client4.BACK.caMaxresponsesize());
        }
    }

    /** The root has the exports' paths, and nothing else of the machine. */
    @Test
    void exportsAreReachedFromTheRoot() throws Exception {
        try (Client4 client = client("tcp", "tree")) {
            Nfs4CompoundCall call = client.at(above, false);
            var attributes = call.getattr(Bitmap4.of(Constants.FATTR4_FSID, Constants.FATTR4_FILEID));
            var listed = call.readdir(0, START, 4096, 4096, Bitmap4.of(Constants.FATTR4_FSID));
            call.lookup(Component4.of("first"));
            var inside = call.getattr(
                    Bitmap4.of(Constants.FATTR4_FSID, Constants.FATTR4_FILEID, Constants.FATTR4_MOUNTED_ON_FILEID));
            call.lookupp();
            var handle = call.getFh();
            assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            XdrDecoder ofAbove = values(attributes.get().objAttributes());
            assertThat(ofAbove.readHyper()).isZero();
            XdrDecoder below = values(inside.get().objAttributes());
            assertThat(below.readHyper()).isNotZero();
            below.readHyper();
            assertThat(below.readHyper()).isNotEqualTo(below.readHyper());
            assertThat(names(listed.get().reply().entries())).containsExactly("first");

            Nfs4CompoundCall back = client.at(above, false);
            var expected = back.getFh();
            back.lookup(Component4.of("nothing"));
            assertThat(back.await().status()).isEqualTo(Nfsstat4.NFS4ERR_NOENT);
            assertThat(handle.get()).isEqualTo(expected.get());

            Nfs4CompoundCall change = client.at(above, false);
            change.remove(Component4.of("first"));
            assertThat(change.await().status()).isEqualTo(Nfsstat4.NFS4ERR_ROFS);
        }
    }

    private static XdrDecoder values(Fattr4 attributes) {
        return new XdrDecoder(attributes.attrVals().asReadOnlyBuffer());
    }

    private static List<String> names(List<Entry4> entries) {
        return entries.stream().map(entry -> entry.name().value().utf8()).toList();
    }

    @Test
    void aClientThatTheExportDoesNotAdmitIsRejected() throws Exception {
        server.close();
        ExportDefinition forOthers = new ExportDefinition(
                first, List.of(new ExportDefinition.ClientRule(AddressRange.parse("192.0.2.1"), Served.OPEN)));
        Exports exports = Exports.open(
                List.of(forOthers),
                temporary.resolve("state"),
                StoreKind.ofThisSystem().opener(1));
        server = NfsServer.start(
                exports,
                List.of(URI.create("tcp://127.0.0.1:0")),
                Capacity.DEFAULT.withConnections(16),
                Protocols.DEFAULT.withVersions(Set.of(Version.V3, Version.V4_1)));
        try (Client4 client = client("tcp", "stranger")) {
            assertThat(client.at(first, false).await().status()).isEqualTo(Nfsstat4.NFS4ERR_ACCESS);
            Nfs4CompoundCall list = client.at(above, false);
            var listed = list.readdir(0, START, 4096, 4096, Bitmap4.of());
            list.await();
            assertThat(listed.get().reply().entries()).isEmpty();
        }
    }

    @Test
    void attributesAreSetAndCompared() throws Exception {
        Files.writeString(first.resolve("file"), "0123456789");
        try (Client4 client = client("tcp", "attributes")) {
            Nfs4CompoundCall set = client.at(first, false);
            set.lookup(Component4.of("file"));
            set.setattr(Client4.ANONYMOUS, Client4.attribute(Constants.FATTR4_SIZE, out -> out.writeHyper(4)));
            set.setattr(Client4.ANONYMOUS, Client4.mode(0600));
            set.verify(Client4.attribute(Constants.FATTR4_SIZE, out -> out.writeHyper(4)));
            var supported = set.getattr(Bitmap4.of(Constants.FATTR4_SUPPORTED_ATTRS));
            var all = set.getattr(Bitmap4.of(
                    Constants.FATTR4_TYPE, Constants.FATTR4_SIZE, Constants.FATTR4_MODE, Constants.FATTR4_OWNER));
            set.nverify(Client4.mode(0600));
            assertThat(set.await().status()).isEqualTo(Nfsstat4.NFS4ERR_SAME);
            assertThat(Files.readString(first.resolve("file"))).isEqualTo("0123");
            XdrDecoder values = values(all.get().objAttributes());
            assertThat(values.readInt()).isEqualTo(1);
            assertThat(values.readHyper()).isEqualTo(4);
            assertThat(values.readInt()).isEqualTo(0600);
            assertThat(values.readOpaque(100).utf8())
                    .isEqualTo(Files.getAttribute(first.resolve("file"), "unix:uid")
                            .toString());

            Bitmap4 mask = Bitmap4.decode(values(supported.get().objAttributes()));
            Nfs4CompoundCall every = client.at(first, false);
            Bitmap4 readable = mask.without(Constants.FATTR4_TIME_ACCESS_SET).without(Constants.FATTR4_TIME_MODIFY_SET);
            var got = every.getattr(readable);
            every.setattr(Client4.ANONYMOUS, Client4.attribute(Constants.FATTR4_TYPE, out -> out.writeInt(1)));
            assertThat(every.await().status()).isEqualTo(Nfsstat4.NFS4ERR_INVAL);
            assertThat(got.get().objAttributes().attrmask()).isEqualTo(readable);

            Nfs4CompoundCall late = client.at(first, false);
            late.setattr(
                    Client4.ANONYMOUS,
                    Client4.attribute(
                            Constants.FATTR4_TIME_MODIFY_SET,
                            out -> new Settime4.SetToClientTime4(new Nfstime4(1L << 62, 0)).encode(out)));
            assertThat(late.await().status()).isEqualTo(Nfsstat4.NFS4ERR_INVAL);

            Nfs4CompoundCall padded = client.at(first, false);
            XdrBits zeros = XdrBits.ofWords(XdrUnsignedInts.of(0, 2, 0, 0));
            var set0755 = padded.setattr(
                    Client4.ANONYMOUS,
                    new Fattr4(new Bitmap4(zeros), Client4.mode(0755).attrVals()));
            assertThat(padded.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(set0755.get().attrsset().bits().words().size()).isEqualTo(2);

            Nfs4CompoundCall unknown = client.at(first, false);
            unknown.setattr(Client4.ANONYMOUS, Client4.attribute(Constants.FATTR4_HIDDEN, out -> out.writeInt(1)));
            assertThat(unknown.await().status()).isEqualTo(Nfsstat4.NFS4ERR_ATTRNOTSUPP);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void aListingGoesOnWithTheFirstEntryThatDidNotFit(String transport) throws Exception {
        for (int i = 0; i < 300; i++) {
            Files.createFile(first.resolve("file-" + i));
        }
        try (Client4 client = client(transport, "listing")) {
            Set<String> seen = new HashSet<>();
            long cookie = 0;
            Verifier4 verifier = START;
            boolean end = false;
            while (!end) {
                Nfs4CompoundCall call = client.at(first, false);
                var listed = call.readdir(
                        cookie,
                        verifier,
                        1000,
                        2000,
                        Bitmap4.of(Constants.FATTR4_RDATTR_ERROR, Constants.FATTR4_TYPE, Constants.FATTR4_FILEHANDLE));
                assertThat(call.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
                List<Entry4> entries = listed.get().reply().entries();
                names(entries).forEach(name -> assertThat(seen.add(name)).isTrue());
                cookie = entries.isEmpty()
                        ? cookie
                        : entries.get(entries.size() - 1).cookie();
                verifier = listed.get().cookieverf();
                end = listed.get().reply().eof();
            }
            assertThat(seen).hasSize(300);
        }
    }

    @Test
    void anOpenDeniesOthersWhatItSays() throws Exception {
        try (Client4 one = client("tcp", "one");
                Client4 two = client("rdma", "two")) {
            Nfs4CompoundCall open = one.at(first, true);
            var opened = one.create(open, "a", "file", BOTH, Constants.OPEN4_SHARE_DENY_WRITE);
            var file = open.getFh();
            assertThat(open.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            Nfs4CompoundCall refused = two.at(first, true);
            two.open(refused, "b", "file", BOTH, NONE);
            assertThat(refused.await().status()).isEqualTo(Nfsstat4.NFS4ERR_SHARE_DENIED);

            Nfs4CompoundCall write = two.call(false);
            write.putFh(file.get().object());
            write.write(Client4.ANONYMOUS, 0, StableHow4.UNSTABLE4, Payload.of(ByteBuffer.allocate(1)));
            assertThat(write.await().status()).isEqualTo(Nfsstat4.NFS4ERR_LOCKED);

            Nfs4CompoundCall close = one.call(true);
            close.putFh(file.get().object());
            close.close(0, opened.get().stateid());
            assertThat(close.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            Nfs4CompoundCall now = two.at(first, true);
            two.open(now, "b", "file", BOTH, NONE);
            assertThat(now.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
        }
    }

    @Test
    void aLockExcludesThatOfAnotherClient() throws Exception {
        try (Client4 one = client("tcp", "one");
                Client4 two = client("rdma", "two")) {
            Opened of = open(one);
            Opened by = open(two);
            Nfs4CompoundCall lock = one.call(true);
            lock.putFh(of.file());
            var locked = lock.lock(NfsLockType4.WRITE_LT, false, 10, 10, first(one, of));
            assertThat(lock.await().status()).isEqualTo(Nfsstat4.NFS4_OK);

            Nfs4CompoundCall denied = two.call(true);
            denied.putFh(by.file());
            denied.lock(NfsLockType4.READ_LT, false, 15, 10, first(two, by));
            assertThat(denied.await().status()).isEqualTo(Nfsstat4.NFS4ERR_DENIED);

            Nfs4CompoundCall test = two.call(false);
            test.putFh(by.file());
            test.lockt(NfsLockType4.WRITE_LT, 20, 10, two.owner("lock"));
            test.lockt(NfsLockType4.READ_LT, 19, 1, two.owner("lock"));
            Compound4Res tested = test.await();
            assertThat(tested.status()).isEqualTo(Nfsstat4.NFS4ERR_DENIED);
            assertThat(tested.resarray()).hasSize(4);
            Lockt4Res byOther = ((NfsResop4.Lockt) tested.resarray().get(3)).oplockt();
            assertThat(((Lockt4Res.Nfs4ErrDenied) byOther)
                            .denied()
                            .owner()
                            .clientid()
                            .value())
                    .isZero();

            Nfs4CompoundCall unlock = one.call(true);
            unlock.putFh(of.file());
            unlock.locku(NfsLockType4.WRITE_LT, 0, locked.get().lockStateid(), 10, 10);
            unlock.putFh(of.file());
            var statuses = unlock.testStateid(List.of(Client4.CURRENT, of.stateId()));
            assertThat(unlock.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(statuses.get().tsrStatusCodes()).containsExactly(Nfsstat4.NFS4ERR_BAD_STATEID, Nfsstat4.NFS4_OK);

            Nfs4CompoundCall now = two.call(true);
            now.putFh(by.file());
            now.lock(NfsLockType4.READ_LT, false, 15, 10, first(two, by));
            assertThat(now.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
        }
    }

    private record Opened(NfsFh4 file, Stateid4 stateId) {}

    private Opened open(Client4 client) throws Exception {
        Nfs4CompoundCall open = client.at(first, true);
        var opened = client.create(open, "owner", "file", BOTH, NONE);
        var file = open.getFh();
        open.await();
        return new Opened(file.get().object(), opened.get().stateid());
    }

    private static Locker4 first(Client4 client, Opened open) {
        return new Locker4.True(new OpenToLockOwner4(0, open.stateId(), 0, client.owner("lock")));
    }

    @Test
    void namesAreMadeChangedAndRemoved() throws Exception {
        try (Client4 client = client("rdma", "names")) {
            Nfs4CompoundCall make = client.at(first, true);
            make.saveFh();
            make.create(
                    new Createtype4.Nf4Lnk(Payload.of(ByteBuffer.wrap("target".getBytes(StandardCharsets.UTF_8)))),
                    Component4.of("link"),
                    new Fattr4(Bitmap4.of(), XdrOpaque.EMPTY));
            var target = make.readlink(null);
            make.restoreFh();
            make.create(new Createtype4.Nf4Sock(NfsFtype4.NF4DIR), Component4.of("directory"), Client4.mode(0700));
            make.rename(Component4.of("link"), Component4.of("moved"));
            assertThat(make.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(target.get().link().buffer())
                    .isEqualTo(ByteBuffer.wrap("target".getBytes(StandardCharsets.UTF_8)));
            assertThat(Files.readSymbolicLink(first.resolve("directory/moved"))).hasToString("target");

            Nfs4CompoundCall through = client.at(first.resolve("directory/moved/file"), true);
            assertThat(through.await().status()).isEqualTo(Nfsstat4.NFS4ERR_SYMLINK);
            Nfs4CompoundCall full = client.at(first, true);
            full.remove(Component4.of("directory"));
            assertThat(full.await().status()).isEqualTo(Nfsstat4.NFS4ERR_NOTEMPTY);
            Nfs4CompoundCall remove = client.at(first.resolve("directory"), true);
            remove.remove(Component4.of("moved"));
            remove.lookupp();
            remove.remove(Component4.of("directory"));
            assertThat(remove.await().status()).isEqualTo(Nfsstat4.NFS4_OK);
            assertThat(first).isEmptyDirectory();
        }
    }
}
