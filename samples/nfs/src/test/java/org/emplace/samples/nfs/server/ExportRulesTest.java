// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.LogRecord;
import org.emplace.rpc.Destination;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.*;
import org.emplace.samples.nfs.server.Served.On;
import org.emplace.samples.nfs.server.export.AddressRange;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.ExportDefinition.ClientRule;
import org.emplace.samples.nfs.server.export.ExportOptions;
import org.emplace.samples.nfs.server.export.PrincipalMap;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The effects of export rules on clients. */
@Timeout(60)
class ExportRulesTest {
    private static final Cookieverf3 NO_VERIFIER = Cookieverf3.of(new byte[8]);

    @TempDir
    Path temporary;

    private Path directory(String name) throws Exception {
        return Files.createDirectory(temporary.resolve(name));
    }

    private static ExportDefinition exported(Path directory, ExportOptions options, String... clients)
            throws Exception {
        List<ClientRule> rules = new ArrayList<>();
        for (String client : clients) {
            rules.add(new ClientRule(AddressRange.parse(client), options));
        }
        return new ExportDefinition(directory, rules);
    }

    private static Payload bytes(String text) {
        return Payload.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @EnumSource
    void aReadOnlyExportIsChangedByNoProcedure(On on) throws Exception {
        Path directory = directory("export");
        Files.writeString(directory.resolve("file"), "content");
        Files.createDirectory(directory.resolve("empty"));
        ExportDefinition export = ExportDefinition.forEverybody(directory, Served.OPEN.withReadOnly(true));
        try (Served served = new Served(on, temporary, List.of(export))) {
            Nfs3Client nfs = served.nfs;
            NfsFh3 root = served.root();
            NfsFh3 file = ((Lookup3Res.Nfs3Ok) nfs.lookup(new Lookup3Args(Served.in(root, "file"))))
                    .resok()
                    .object();
            Diropargs3 fresh = Served.in(root, "new");
            Sattr3 none = RemoteAttributes.UNCHANGED;
            assertThat(List.of(
                            nfs.setattr(new Setattr3Args(file, none, Optional.empty()))
                                    .status(),
                            nfs.write(new Write3Args(file, 0, 1, StableHow.UNSTABLE, bytes("x")))
                                    .status(),
                            nfs.commit(new Commit3Args(file, 0, 0)).status(),
                            nfs.create(new Create3Args(fresh, new Createhow3.Unchecked(Createmode3.UNCHECKED, none)))
                                    .status(),
                            nfs.mkdir(new Mkdir3Args(fresh, none)).status(),
                            nfs.symlink(new Symlink3Args(fresh, new Symlinkdata3(none, bytes("file"))))
                                    .status(),
                            nfs.mknod(new Mknod3Args(fresh, new Mknoddata3.Nf3Sock(Ftype3.NF3FIFO, none)))
                                    .status(),
                            nfs.remove(new Remove3Args(Served.in(root, "file"))).status(),
                            nfs.rmdir(new Rmdir3Args(Served.in(root, "empty"))).status(),
                            nfs.rename(new Rename3Args(Served.in(root, "file"), fresh))
                                    .status(),
                            nfs.link(new Link3Args(file, fresh)).status()))
                    .containsOnly(Nfsstat3.NFS3ERR_ROFS);
            Access3Res access = nfs.access(new Access3Args(root, 0x3f));
            assertThat(((Access3Res.Nfs3Ok) access).resok().access()).isEqualTo(0x03);
            Read3Res read = nfs.read(new Read3Args(file, 0, 100), Destination.allocate());
            assertThat(((Read3Res.Nfs3Ok) read).resok().count()).isEqualTo(7);
            try (var names = Files.list(directory)) {
                assertThat(names).hasSize(2);
            }
        }
    }

    /** Whatever else is wrong. */
    @Test
    void offsetsAreCheckedFirst() throws Exception {
        Path directory = directory("export");
        ExportDefinition export = ExportDefinition.forEverybody(directory, Served.OPEN.withReadOnly(true));
        try (Served served = new Served(On.TCP_NIO, temporary, List.of(export))) {
            Read3Args read = new Read3Args(new NfsFh3(XdrOpaque.of(new byte[3])), -1, 1);
            assertThat(served.nfs.read(read, Destination.allocate()).status()).isEqualTo(Nfsstat3.NFS3ERR_INVAL);
            assertThat(served.nfs
                            .write(new Write3Args(served.root(), -1, 1, StableHow.UNSTABLE, bytes("xyz")))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3ERR_FBIG);
        }
    }

    @ParameterizedTest
    @EnumSource
    void exportsAreReplacedWhileClientsUseThem(On on) throws Exception {
        Path kept = directory("kept");
        Path removed = directory("removed");
        Path added = directory("added");
        try (Served served = new Served(
                on, temporary, List.of(exported(kept, Served.OPEN, "*"), exported(removed, Served.OPEN, "*")))) {
            NfsFh3 inKept = served.mounted(kept.toString());
            NfsFh3 inRemoved = served.mounted(removed.toString());
            served.create(served.nfs, inKept, "file");

            served.exports.replace(
                    List.of(exported(added, Served.OPEN, "*"), exported(kept, Served.OPEN.withReadOnly(true), "*")),
                    PrincipalMap.NONE);

            assertThat(served.nfs
                            .remove(new Remove3Args(Served.in(inKept, "file")))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3ERR_ROFS);
            assertThat(served.nfs
                            .lookup(new Lookup3Args(Served.in(inKept, "file")))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3_OK);
            assertThat(served.nfs.getattr(new Getattr3Args(inRemoved)).status()).isEqualTo(Nfsstat3.NFS3ERR_STALE);
            assertThat(served.mount.mnt(XdrString.of(removed.toString())).fhsStatus())
                    .isEqualTo(Mountstat3.MNT3ERR_ACCES);
            served.create(served.nfs, served.mounted(added.toString()), "file");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDirectoryThatWasMadeAgainIsFoundWhenTheExportsAreReplaced(On on) throws Exception {
        Path directory = directory("export");
        List<ExportDefinition> exports = List.of(exported(directory, Served.OPEN, "*"));
        try (Served served = new Served(on, temporary, exports)) {
            served.root();
            Files.move(directory, temporary.resolve("former"));
            Files.createFile(directory("export").resolve("new"));

            served.exports.replace(exports, PrincipalMap.NONE);

            assertThat(served.nfs
                            .lookup(new Lookup3Args(Served.in(served.root(), "new")))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3_OK);
        }
    }

    @Test
    void exportsWithAnErrorReplaceNothing() throws Exception {
        Path directory = directory("export");
        try (Served served = new Served(On.TCP_NIO, temporary, List.of(exported(directory, Served.OPEN, "*")))) {
            assertThatThrownBy(() -> served.exports.replace(
                            List.of(exported(temporary.resolve("nothing"), Served.OPEN, "*")), PrincipalMap.NONE))
                    .hasMessage(temporary.resolve("nothing") + ": no such directory");
            served.create("file");
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsThatAreNotAdmittedGetNothing(On on) throws Exception {
        Path directory = directory("export");
        NfsFh3 root;
        try (Served served =
                new Served(on, temporary, List.of(exported(directory, Served.OPEN, "10.0.0.0/8", "127.0.0.1")))) {
            root = served.root();
        }
        try (Served served =
                new Served(on, temporary, List.of(exported(directory, Served.OPEN, "10.0.0.0/8", "127.0.0.2")))) {
            assertThat(served.mount.mnt(XdrString.of(directory.toString())).fhsStatus())
                    .isEqualTo(Mountstat3.MNT3ERR_ACCES);
            Nfs3Client nfs = served.nfs;
            assertThat(List.of(
                            nfs.getattr(new Getattr3Args(root)).status(),
                            nfs.lookup(new Lookup3Args(Served.in(root, "."))).status(),
                            nfs.access(new Access3Args(root, 1)).status(),
                            nfs.readdir(new Readdir3Args(root, 0, NO_VERIFIER, 4096))
                                    .status(),
                            nfs.mkdir(new Mkdir3Args(Served.in(root, "d"), RemoteAttributes.UNCHANGED))
                                    .status(),
                            nfs.fsinfo(new Fsinfo3Args(root)).status(),
                            nfs.fsstat(new Fsstat3Args(root)).status()))
                    .containsOnly(Nfsstat3.NFS3ERR_ACCES);
            assertThat(((Lookup3Res.Default) nfs.lookup(new Lookup3Args(Served.in(root, "."))))
                            .resfail()
                            .dirAttributes())
                    .isEmpty();
        }
    }

    @Test
    void theLongestPrefixDecides() throws Exception {
        Path directory = directory("export");
        ExportDefinition export = new ExportDefinition(
                directory,
                List.of(
                        new ClientRule(AddressRange.ALL, Served.OPEN.withReadOnly(true)),
                        new ClientRule(AddressRange.parse("127.0.0.0/16"), Served.OPEN),
                        new ClientRule(AddressRange.parse("127.0.0.0/8"), Served.OPEN.withReadOnly(true)),
                        new ClientRule(AddressRange.parse("127.1.0.0/16"), Served.OPEN.withReadOnly(true))));
        try (Served served = new Served(On.TCP_POSIX, temporary, List.of(export))) {
            served.create("file");
        }
    }

    @Test
    void secureRefusesPortsThatAnybodyMayUse() throws Exception {
        ExportDefinition export =
                ExportDefinition.forEverybody(directory("export"), Served.OPEN.withPrivilegedPorts(true));
        try (Served served = new Served(On.TCP_POSIX, temporary, List.of(export));
                LogRecords log = new LogRecords("org.emplace.samples.nfs.server")) {
            assertThat(served.mount
                            .mnt(XdrString.of(served.directory.toString()))
                            .fhsStatus())
                    .isEqualTo(Mountstat3.MNT3ERR_ACCES);
            assertThat(log.all())
                    .as("a mount that was refused")
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .startsWith("127.0.0.1 may not mount " + served.directory + ": " + served.directory
                            + " is not exported to /127.0.0.1:");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherExportsDirectoryIsAnotherFileSystem(On on) throws Exception {
        Path a = directory("a");
        Path b = directory("b");
        List<ExportDefinition> both =
                List.of(ExportDefinition.forEverybody(a, Served.OPEN), ExportDefinition.forEverybody(b, Served.OPEN));
        try (Served served = new Served(on, temporary, both)) {
            NfsFh3 inA = served.root();
            NfsFh3 inB = served.mounted(b.toString());
            NfsFh3 file = served.create("file");
            assertThat(served.nfs
                            .rename(new Rename3Args(Served.in(inA, "file"), Served.in(inB, "file")))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3ERR_XDEV);
            assertThat(served.nfs
                            .link(new Link3Args(file, Served.in(inB, "file")))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3ERR_XDEV);
            assertThat(served.attributes(inA).fsid())
                    .isNotEqualTo(served.attributes(inB).fsid());
            assertThat(served.attributes(file).fsid())
                    .isEqualTo(served.attributes(inA).fsid());
        }
    }

    @Test
    void handlesEndWithTheirExportButSurviveItsOptions() throws Exception {
        Path a = directory("a");
        Path b = directory("b");
        NfsFh3 root;
        try (Served served =
                new Served(On.TCP_POSIX, temporary, List.of(ExportDefinition.forEverybody(a, Served.OPEN)))) {
            root = served.root();
        }
        List<ExportDefinition> more = List.of(
                ExportDefinition.forEverybody(b, Served.OPEN),
                ExportDefinition.forEverybody(a, Served.OPEN.withReadOnly(true)));
        try (Served served = new Served(On.TCP_POSIX, temporary, more)) {
            assertThat(served.attributes(root)).isEqualTo(served.attributes(served.mounted(a.toString())));
        }
        try (Served served = new Served(On.TCP_POSIX, temporary, more.subList(0, 1))) {
            assertThat(served.nfs.getattr(new Getattr3Args(root)).status()).isEqualTo(Nfsstat3.NFS3ERR_STALE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void handlesCannotBeForged(On on) throws Exception {
        try (Served served = new Served(on, temporary)) {
            byte[] handle = served.create("file").data().bytes();
            assertThat(handle).hasSizeLessThanOrEqualTo(64);
            for (int bit = 0; bit < handle.length * 8; bit++) {
                byte[] changed = handle.clone();
                changed[bit / 8] ^= (byte) (1 << bit % 8);
                assertThat(statusOf(served, changed)).isEqualTo(Nfsstat3.NFS3ERR_BADHANDLE);
            }
            for (int length = 0; length <= 64; length++) {
                assertThat(statusOf(served, new byte[length])).isEqualTo(Nfsstat3.NFS3ERR_BADHANDLE);
            }
        }
    }

    private static Nfsstat3 statusOf(Served served, byte[] handle) throws Exception {
        return served.nfs
                .getattr(new Getattr3Args(new NfsFh3(XdrOpaque.of(handle))))
                .status();
    }

    @Test
    void theExportsAreListedWithTheirClients() throws Exception {
        Path a = directory("a");
        Path b = directory("b");
        List<ExportDefinition> both = List.of(
                exported(a, Served.OPEN, "127.0.0.1", "10.0.0.0/8", "fd00::/8", "*"),
                ExportDefinition.forEverybody(b, Served.OPEN));
        try (Served served = new Served(On.TCP_POSIX, temporary, both)) {
            assertThat(served.mount.export())
                    .containsExactly(
                            new Exportnode(
                                    XdrString.of(a.toString()),
                                    List.of(
                                            new Groupnode(XdrString.of("127.0.0.1")),
                                            new Groupnode(XdrString.of("10.0.0.0/8")),
                                            new Groupnode(XdrString.of("fd00::/8")),
                                            new Groupnode(XdrString.of("*")))),
                            new Exportnode(XdrString.of(b.toString()), List.of()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void theExportWithTheLongestPathIsMounted(On on) throws Exception {
        Path outer = directory("outer");
        Path inner = Files.createDirectory(outer.resolve("inner"));
        Files.createDirectory(inner.resolve("deep"));
        Files.createDirectory(outer.resolve("innermost"));
        List<ExportDefinition> both = List.of(
                ExportDefinition.forEverybody(outer, Served.OPEN),
                ExportDefinition.forEverybody(inner, Served.OPEN.withReadOnly(true)));
        try (Served served = new Served(on, temporary, both)) {
            long outerId = served.attributes(served.root()).fsid();
            long innerId = served.attributes(served.mounted(inner.toString())).fsid();
            assertThat(outerId).isNotEqualTo(innerId);
            assertThat(served.attributes(served.mounted(outer + "/innermost")).fsid())
                    .isEqualTo(outerId);
            assertThat(served.attributes(served.mounted(outer + "//./inner/deep/"))
                            .fsid())
                    .isEqualTo(innerId);
            assertThat(served.attributes(served.mounted(outer + "/inner/deep/../../innermost/.."))
                            .fsid())
                    .isEqualTo(outerId);
            assertThat(served.mount.mnt(XdrString.of("outer")).fhsStatus()).isEqualTo(Mountstat3.MNT3ERR_ACCES);
            assertThat(served.mount.mnt(XdrString.of(outer + "/..")).fhsStatus())
                    .isEqualTo(Mountstat3.MNT3ERR_ACCES);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDirectoryDeepDownIsMounted(On on) throws Exception {
        try (Served served = new Served(on, temporary)) {
            // The longest path that MOUNT accepts. A store may check the whole path again for each name, so the names
            // are not too short.
            String step = "/directory";
            int depth = (1020 - served.directory.toString().length()) / step.length();
            String below = step.repeat(depth);
            Files.createDirectories(Path.of(served.directory + below));
            Files.createFile(Path.of(served.directory + below + "/f"));
            assertThat(served.attributes(served.mounted(served.directory + below))
                            .type())
                    .isEqualTo(Ftype3.NF3DIR);
            assertThat(served.mount
                            .mnt(XdrString.of(served.directory + below + "/f"))
                            .fhsStatus())
                    .isEqualTo(Mountstat3.MNT3ERR_NOTDIR);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofClientErrorsOnlyRefusedMountsAreLoggedAndMoreAndMoreSeldom(On on) throws Exception {
        try (Served served = new Served(on, temporary);
                LogRecords records = new LogRecords("org.emplace.samples.nfs")) {
            NfsFh3 root = served.root();
            NfsFh3 forged = new NfsFh3(XdrOpaque.of(new byte[64]));
            for (int i = 0; i < 100; i++) {
                served.nfs.getattr(new Getattr3Args(forged));
                served.nfs.lookup(new Lookup3Args(Served.in(root, "nothing\n" + i)));
                served.nfs.lookup(new Lookup3Args(Served.in(root, "a/b")));
                served.nfs.lookup(new Lookup3Args(Served.in(root, "x".repeat(300))));
                served.nfs.read(new Read3Args(root, 0, 10), Destination.allocate());
                served.nfs.read(new Read3Args(root, -1, 10), Destination.allocate());
                served.nfs.write(new Write3Args(root, -1, 1, StableHow.UNSTABLE, bytes("x")));
                served.nfs.readdir(new Readdir3Args(root, -1, NO_VERIFIER, 4096));
                served.nfs.readdir(new Readdir3Args(root, 0, NO_VERIFIER, 1));
                served.mount.mnt(XdrString.of("/etc/\n" + i));
                served.mount.mnt(XdrString.of(served.directory + "/nothing"));
            }
            assertThat(records.all())
                    .hasSize(7)
                    .allMatch(line -> line.getMessage().startsWith("127.0.0.1 may not mount /etc/?"));
        }
    }

    /** A peer with room for a megabyte cannot make one call search a directory of any size. */
    @Test
    void oneCallListsABoundedNumberOfEntries() throws Exception {
        try (Served served = new Served(On.TCP_POSIX, temporary)) {
            for (int i = 0; i < 8200; i++) {
                Files.createFile(served.directory.resolve(Integer.toString(i, 36)));
            }
            NfsFh3 root = served.root();
            int room = 1 << 20;
            Dirlist3 names = ((Readdir3Res.Nfs3Ok) served.nfs.readdir(new Readdir3Args(root, 0, NO_VERIFIER, room)))
                    .resok()
                    .reply();
            assertThat(names.entries()).hasSize(8192);
            assertThat(names.eof()).isFalse();
            Dirlistplus3 files = ((Readdirplus3Res.Nfs3Ok)
                            served.nfs.readdirplus(new Readdirplus3Args(root, 0, NO_VERIFIER, room, room)))
                    .resok()
                    .reply();
            assertThat(files.entries()).hasSize(2048);
            assertThat(files.eof()).isFalse();
        }
    }
}
