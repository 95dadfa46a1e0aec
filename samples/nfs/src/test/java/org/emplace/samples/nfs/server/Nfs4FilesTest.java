// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.emplace.rpc.Destination;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Createtype4;
import org.emplace.samples.nfs.protocol.v4.Entry4;
import org.emplace.samples.nfs.protocol.v4.Fattr4;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.NfsFtype4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Nfstime4;
import org.emplace.samples.nfs.protocol.v4.Settime4;
import org.emplace.samples.nfs.protocol.v4.StableHow4;
import org.emplace.samples.nfs.protocol.v4.Verifier4;
import org.emplace.samples.nfs.server.export.AddressRange;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrBits;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrUnsignedInts;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What version 4.1 does with files and names, by the generated client, over TCP and software iWARP. */
final class Nfs4FilesTest {
    private static final int BOTH = Constants.OPEN4_SHARE_ACCESS_BOTH;
    private static final int NONE = Constants.OPEN4_SHARE_DENY_NONE;
    private static final Verifier4 START = new Verifier4(XdrOpaque.of(new byte[8]));

    @AutoClose
    private final Served4 served;

    private final Path first;

    Nfs4FilesTest(@TempDir Path temporary) throws IOException {
        served = new Served4(temporary);
        first = served.first;
    }

    /** Chunks belong to operations wherever these stand. */
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void oneCallWritesTwoFilesAndReadsThemBack(String transport) throws Exception {
        byte[] one = Served4.bytes(100_000, 1);
        byte[] two = Served4.bytes(70_001, 2);
        try (Client4 client = served.client(transport, "writer")) {
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

    @Test
    void anExclusiveOpenOfAnotherUsersFileNeedsRights() throws Exception {
        Files.setPosixFilePermissions(first, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (Client4 client = served.client("tcp", "exclusive")) {
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
    void cookiesOneAndTwoAreOfNoListing() throws Exception {
        try (Client4 client = served.client("tcp", "cookies")) {
            for (Path directory : List.of(first, served.above)) {
                for (long cookie = 1; cookie <= 2; cookie++) {
                    Nfs4CompoundCall list = client.at(directory, false);
                    list.readdir(cookie, START, 4096, 4096, Bitmap4.of());
                    assertThat(list.await().status()).isEqualTo(Nfsstat4.NFS4ERR_BAD_COOKIE);
                }
            }
        }
    }

    /** The root has the exports' paths, and nothing else of the machine. */
    @Test
    void exportsAreReachedFromTheRoot() throws Exception {
        try (Client4 client = served.client("tcp", "tree")) {
            Nfs4CompoundCall call = client.at(served.above, false);
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

            Nfs4CompoundCall back = client.at(served.above, false);
            var expected = back.getFh();
            back.lookup(Component4.of("nothing"));
            assertThat(back.await().status()).isEqualTo(Nfsstat4.NFS4ERR_NOENT);
            assertThat(handle.get()).isEqualTo(expected.get());

            Nfs4CompoundCall change = client.at(served.above, false);
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
        served.restart(new ExportDefinition(
                first, List.of(new ExportDefinition.ClientRule(AddressRange.parse("192.0.2.1"), Served.OPEN))));
        try (Client4 client = served.client("tcp", "stranger")) {
            assertThat(client.at(first, false).await().status()).isEqualTo(Nfsstat4.NFS4ERR_ACCESS);
            Nfs4CompoundCall list = client.at(served.above, false);
            var listed = list.readdir(0, START, 4096, 4096, Bitmap4.of());
            list.await();
            assertThat(listed.get().reply().entries()).isEmpty();
        }
    }

    @Test
    void attributesAreSetAndCompared() throws Exception {
        Files.writeString(first.resolve("file"), "0123456789");
        try (Client4 client = served.client("tcp", "attributes")) {
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
        try (Client4 client = served.client(transport, "listing")) {
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
    void namesAreMadeChangedAndRemoved() throws Exception {
        try (Client4 client = served.client("rdma", "names")) {
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
