// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.emplace.rpc.Destination;
import org.emplace.rpc.RpcCall;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.*;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class NfsServerTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final Cookieverf3 NO_VERIFIER = Cookieverf3.of(new byte[8]);

    @TempDir
    Path temporary;

    private static ByteBuffer random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return ByteBuffer.allocateDirect(size).put(bytes).flip();
    }

    @ParameterizedTest
    @EnumSource
    void largeWritesAndReadsArriveWhole(Served.On on) throws Exception {
        try (Served served = new Served(on, temporary)) {
            NfsFh3 file = served.create("file");
            ByteBuffer sent = random(MEBIBYTE);
            Write3Res written = served.write(file, 3, sent, StableHow.FILE_SYNC);
            Write3Resok result = ((Write3Res.Nfs3Ok) written).resok();
            assertThat(result.count()).isEqualTo(MEBIBYTE);
            assertThat(result.fileWcc().before()).map(WccAttr::size).contains(0L);
            assertThat(result.fileWcc().after()).map(Fattr3::size).contains(MEBIBYTE + 3L);

            ByteBuffer got = ByteBuffer.allocateDirect(MEBIBYTE);
            Read3Resok read = ((Read3Res.Nfs3Ok)
                            served.nfs.read(new Read3Args(file, 3, MEBIBYTE), Destination.into(got)))
                    .resok();
            assertThat(read.count()).isEqualTo(MEBIBYTE);
            assertThat(read.eof()).isTrue();
            assertThat(got.rewind()).isEqualTo(sent.rewind());
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsEndAtTheEndOfTheFile(Served.On on) throws Exception {
        try (Served served = new Served(on, temporary)) {
            NfsFh3 file = served.create("file");
            served.write(file, 0, random(1001), StableHow.UNSTABLE);
            assertThat(countAndEnd(served, file, 0, 1000)).containsExactly(1000, 0);
            assertThat(countAndEnd(served, file, 1, 1000)).containsExactly(1000, 1);
            assertThat(countAndEnd(served, file, 900, 1000)).containsExactly(101, 1);
            assertThat(countAndEnd(served, file, 5000, 1000)).containsExactly(0, 1);
            assertThat(countAndEnd(served, file, 0, 0)).containsExactly(0, 0);
        }
    }

    private static long[] countAndEnd(Served served, NfsFh3 file, long offset, int count) throws Exception {
        Read3Res read = served.nfs.read(new Read3Args(file, offset, count), Destination.allocate());
        Read3Resok result = ((Read3Res.Nfs3Ok) read).resok();
        assertThat(result.data().length()).isEqualTo(result.count());
        return new long[] {result.count(), result.eof() ? 1 : 0};
    }

    @ParameterizedTest
    @EnumSource
    void manyCallsAtOnceDoNotDisturbEachOther(Served.On on) throws Exception {
        try (Served served = new Served(on, temporary)) {
            NfsFh3 file = served.create("file");
            ByteBuffer content = random(64 * 10_000);
            List<RpcCall<Write3Res>> writes = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                Payload part = Payload.of(content.slice(i * 10_000, 10_000));
                writes.add(served.nfs.writeAsync(new Write3Args(file, i * 10_000L, 10_000, StableHow.UNSTABLE, part)));
            }
            for (RpcCall<Write3Res> write : writes) {
                assertThat(write.await().status()).isEqualTo(Nfsstat3.NFS3_OK);
            }
            Commit3Res committed = served.nfs.commit(new Commit3Args(file, 0, 0));
            assertThat(committed.status()).isEqualTo(Nfsstat3.NFS3_OK);
            assertThat(ByteBuffer.wrap(Files.readAllBytes(served.directory.resolve("file"))))
                    .isEqualTo(content);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyProcedureAnswers(Served.On on) throws Exception {
        try (Served served = new Served(on, temporary)) {
            Nfs3Client nfs = served.nfs;
            NfsFh3 root = served.root();
            nfs.nullProcedure();
            NfsFh3 file = served.create("file");
            Sattr3 mode = new Sattr3(
                    OptionalLong.of(0600),
                    OptionalLong.empty(),
                    OptionalLong.empty(),
                    OptionalLong.of(10),
                    new SetAtime.Default(TimeHow.SET_TO_SERVER_TIME),
                    new SetMtime.SetToClientTime(new Nfstime3(1000, 2000)));
            assertThat(nfs.setattr(new Setattr3Args(file, mode, Optional.empty()))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3_OK);
            Fattr3 attributes = served.attributes(file);
            assertThat(attributes.mode()).isEqualTo(0600);
            assertThat(attributes.size()).isEqualTo(10);
            assertThat(attributes.mtime()).isEqualTo(new Nfstime3(1000, 2000));
            assertThat(attributes.type()).isEqualTo(Ftype3.NF3REG);
            Access3Res access = nfs.access(new Access3Args(root, 0x3f));
            assertThat(((Access3Res.Nfs3Ok) access).resok().access()).isEqualTo(0x1f);
            assertThat(nfs.mkdir(new Mkdir3Args(Served.in(root, "d"), RemoteAttributes.UNCHANGED))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3_OK);
            byte[] target = "x/".repeat(1500).getBytes(StandardCharsets.US_ASCII);
            Symlink3Res link = nfs.symlink(new Symlink3Args(
                    Served.in(root, "l"),
                    new Symlinkdata3(RemoteAttributes.UNCHANGED, Payload.of(ByteBuffer.wrap(target)))));
            NfsFh3 linkHandle = ((Symlink3Res.Nfs3Ok) link).resok().obj().orElseThrow();
            Readlink3Res content = nfs.readlink(new Readlink3Args(linkHandle), Destination.allocate());
            assertThat(((Readlink3Res.Nfs3Ok) content).resok().data().buffer()).isEqualTo(ByteBuffer.wrap(target));
            Specdata3 numbers = new Specdata3(1, 2);
            assertThat(nfs.mknod(new Mknod3Args(
                                    Served.in(root, "dev"),
                                    new Mknoddata3.Nf3Chr(
                                            Ftype3.NF3CHR, new Devicedata3(RemoteAttributes.UNCHANGED, numbers))))
                            .status())
                    .isEqualTo(on.store == StoreKind.NIO ? Nfsstat3.NFS3ERR_NOTSUPP : mayMakeDevices());
            assertThat(nfs.link(new Link3Args(file, Served.in(root, "hard"))).status())
                    .isEqualTo(Nfsstat3.NFS3_OK);
            assertThat(nfs.rename(new Rename3Args(Served.in(root, "hard"), Served.in(root, "harder")))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3_OK);
            Lookup3Res found = nfs.lookup(new Lookup3Args(Served.in(root, "harder")));
            assertThat(((Lookup3Res.Nfs3Ok) found).resok().object()).isEqualTo(file);
            assertThat(nfs.remove(new Remove3Args(Served.in(root, "harder"))).status())
                    .isEqualTo(Nfsstat3.NFS3_OK);
            assertThat(nfs.rmdir(new Rmdir3Args(Served.in(root, "d"))).status()).isEqualTo(Nfsstat3.NFS3_OK);
            Fsstat3Resok space = ((Fsstat3Res.Nfs3Ok) nfs.fsstat(new Fsstat3Args(root))).resok();
            assertThat(space.tbytes())
                    .isEqualTo(Files.getFileStore(served.directory).getTotalSpace());
            assertThat(((Fsinfo3Res.Nfs3Ok) nfs.fsinfo(new Fsinfo3Args(root)))
                            .resok()
                            .rtmax())
                    .isEqualTo(MEBIBYTE);
            assertThat(((Pathconf3Res.Nfs3Ok) nfs.pathconf(new Pathconf3Args(root)))
                            .resok()
                            .nameMax())
                    .isEqualTo(255);
        }
    }

    private static Nfsstat3 mayMakeDevices() {
        return System.getProperty("user.name").equals("root") ? Nfsstat3.NFS3_OK : Nfsstat3.NFS3ERR_PERM;
    }

    @ParameterizedTest
    @EnumSource
    void failuresHaveTheProtocolsStatus(Served.On on) throws Exception {
        try (Served served = new Served(on, temporary)) {
            NfsFh3 root = served.root();
            NfsFh3 file = served.create("file");
            assertThat(served.nfs
                            .lookup(new Lookup3Args(Served.in(root, "nothing")))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3ERR_NOENT);
            assertThat(served.nfs.lookup(new Lookup3Args(Served.in(file, "x"))).status())
                    .isEqualTo(Nfsstat3.NFS3ERR_NOTDIR);
            assertThat(served.nfs
                            .read(new Read3Args(root, 0, 10), Destination.allocate())
                            .status())
                    .isEqualTo(Nfsstat3.NFS3ERR_ISDIR);
            assertThat(served.nfs
                            .getattr(new Getattr3Args(new NfsFh3(XdrOpaque.of((byte) 1))))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3ERR_BADHANDLE);
            Files.delete(served.directory.resolve("file"));
            assertThat(served.nfs.getattr(new Getattr3Args(file)).status()).isEqualTo(Nfsstat3.NFS3ERR_STALE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void listingsRespectTheRequestedSizes(Served.On on) throws Exception {
        try (Served served = new Served(on, temporary)) {
            List<String> names = new ArrayList<>(List.of(".", ".."));
            for (int i = 0; i < 300; i++) {
                names.add("x".repeat(i % 50) + i);
                Files.createFile(served.directory.resolve(names.get(names.size() - 1)));
            }
            assertThat(namesByReaddir(served, 512)).containsExactlyInAnyOrderElementsOf(names);
            assertThat(namesByReaddir(served, 100_000)).containsExactlyInAnyOrderElementsOf(names);
            assertThat(namesByReaddirplus(served, 300, 1500)).containsExactlyInAnyOrderElementsOf(names);
            assertThat(namesByReaddirplus(served, 100_000, 100_000)).containsExactlyInAnyOrderElementsOf(names);
            assertThat(served.nfs
                            .readdir(new Readdir3Args(served.root(), 0, NO_VERIFIER, 100))
                            .status())
                    .isEqualTo(Nfsstat3.NFS3ERR_TOOSMALL);
        }
    }

    private static List<String> namesByReaddir(Served served, int count) throws Exception {
        List<String> names = new ArrayList<>();
        Readdir3Resok page = new Readdir3Resok(Optional.empty(), NO_VERIFIER, new Dirlist3(List.of(), false));
        long cookie = 0;
        while (!page.reply().eof()) {
            page = ((Readdir3Res.Nfs3Ok)
                            served.nfs.readdir(new Readdir3Args(served.root(), cookie, page.cookieverf(), count)))
                    .resok();
            XdrEncoder encoded = XdrEncoder.onHeap();
            page.encode(encoded);
            assertThat(encoded.finish().streamLength()).isLessThanOrEqualTo(count);
            for (Entry3 entry : page.reply().entries()) {
                names.add(entry.name().toString());
                cookie = entry.cookie();
            }
        }
        return names;
    }

    private static List<String> namesByReaddirplus(Served served, int dircount, int maxcount) throws Exception {
        List<String> names = new ArrayList<>();
        Readdirplus3Resok page =
                new Readdirplus3Resok(Optional.empty(), NO_VERIFIER, new Dirlistplus3(List.of(), false));
        long cookie = 0;
        while (!page.reply().eof()) {
            Readdirplus3Args args = new Readdirplus3Args(served.root(), cookie, page.cookieverf(), dircount, maxcount);
            page = ((Readdirplus3Res.Nfs3Ok) served.nfs.readdirplus(args)).resok();
            XdrEncoder encoded = XdrEncoder.onHeap();
            page.encode(encoded);
            assertThat(encoded.finish().streamLength()).isLessThanOrEqualTo(maxcount);
            for (Entryplus3 entry : page.reply().entries()) {
                assertThat(entry.nameHandle()).isPresent();
                names.add(entry.name().toString());
                cookie = entry.cookie();
            }
        }
        return names;
    }

    @ParameterizedTest
    @EnumSource
    void mountListsExportsAndMounts(Served.On on) throws Exception {
        try (Served served = new Served(on, temporary)) {
            XdrString path = XdrString.of(served.directory.toString());
            served.root();
            assertThat(served.mount.export()).containsExactly(new Exportnode(path, List.of()));
            assertThat(served.mount.dump()).containsExactly(new Mountbody(XdrString.of("127.0.0.1"), path));
            served.mount.umnt(path);
            assertThat(served.mount.dump()).isEmpty();
            for (int i = 0; i < 100; i++) {
                served.mounted(path + "/".repeat(i));
            }
            assertThat(served.mount.dump()).as("by one host").hasSize(1);
            served.mount.umntall();
            assertThat(served.mount.dump()).isEmpty();
            assertThat(served.mount.mnt(XdrString.of("/")).fhsStatus()).isEqualTo(Mountstat3.MNT3ERR_ACCES);
            assertThat(served.mount.mnt(XdrString.of(path + "/nothing")).fhsStatus())
                    .isEqualTo(Mountstat3.MNT3ERR_NOENT);
        }
    }
}
