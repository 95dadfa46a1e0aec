// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.client.OneDirectoryServer;
import org.emplace.samples.nfs.client.ServedStub;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Dirlist3;
import org.emplace.samples.nfs.protocol.Entry3;
import org.emplace.samples.nfs.protocol.Exportnode;
import org.emplace.samples.nfs.protocol.Mount3Server;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Mountres3Ok;
import org.emplace.samples.nfs.protocol.Mountstat3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Readdir3Args;
import org.emplace.samples.nfs.protocol.Readdir3Res;
import org.emplace.samples.nfs.protocol.Readdir3Resok;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Resfail;
import org.emplace.xdr.XdrInts;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that lack what others have: go-nfs lists no exports, nor do filers on which that is turned off; unfs3 has no READDIRPLUS. */
@Timeout(60)
class SparseServersTest {

    /** Lists no exports, because the procedure is missing. */
    private static class Unlisted implements Mount3Server {
        private final Mountstat3 others;

        Unlisted(Mountstat3 others) {
            this.others = others;
        }

        @Override
        public Mountres3 mnt(XdrString path, ServerCall call) {
            return path.toString().equals("/e")
                    ? new Mountres3.Mnt3Ok(new Mountres3Ok(OneDirectoryServer.ROOT.data(), XdrInts.of(1)))
                    : new Mountres3.Default(others);
        }
    }

    /** Has an empty list of exports. */
    private static class Empty extends Unlisted {
        Empty(Mountstat3 others) {
            super(others);
        }

        @Override
        public List<Exportnode> export(ServerCall call) {
            return List.of();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MNT3ERR_NOENT", "MNT3ERR_ACCES", "MNT3ERR_NOTDIR"})
    void whereNoExportsAreListedTheLongestPathThatTheServerAcceptsIsMounted(Mountstat3 others) throws Exception {
        for (Mount3Server mount : List.of(new Unlisted(others), new Empty(others))) {
            try (ServedStub stub = new ServedStub(new OneDirectoryServer(), mount);
                    FileSystem nfs = stub.fileSystem("/below/file")) {
                assertThat(nfs.getPath("/").toUri()).hasToString(stub.place());
            }
        }
    }

    @Test
    void aRefusalSaysWhatItsReasonMayBe() throws Exception {
        Mount3Server mount = new Empty(Mountstat3.MNT3ERR_ACCES) {
            @Override
            public Mountres3 mnt(XdrString path, ServerCall call) {
                return new Mountres3.Default(Mountstat3.MNT3ERR_ACCES);
            }
        };
        try (ServedStub stub = new ServedStub(new OneDirectoryServer(), mount)) {
            assertThatThrownBy(stub::fileSystem)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Permission denied; the server lists no exports; its log may say why")
                    .hasMessageContaining("ports below 1024");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutReaddirplusNamesAreReadAndLookedUp(boolean isRefused) throws Exception {
        try (ServedStub stub = new ServedStub(isRefused ? new WithoutReaddirplus() : new ReaddirOnly());
                Stream<Path> entries = Files.list(stub.path("/"))) {
            assertThat(entries).map(Path::toString).containsExactly("/a", "/b", "/c");
        }
    }

    /** Does not know the procedure. */
    private static class ReaddirOnly extends OneDirectoryServer {
        private static final List<String> NAMES = List.of(".", "..", "a", "b", "c");

        /** Two names at a time. */
        @Override
        public Readdir3Res readdir(Readdir3Args args, ServerCall call) {
            int from = (int) args.cookie();
            int to = Math.min(NAMES.size(), from + 2);
            List<Entry3> entries = Stream.iterate(from, i -> i < to, i -> i + 1)
                    .map(i -> new Entry3(2, XdrString.of(NAMES.get(i)), i + 1))
                    .toList();
            return new Readdir3Res.Nfs3Ok(new Readdir3Resok(
                    Optional.empty(), Cookieverf3.of(new byte[8]), new Dirlist3(entries, to == NAMES.size())));
        }
    }

    /** Knows the procedure, and does not support it. */
    private static final class WithoutReaddirplus extends ReaddirOnly {
        @Override
        public Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
            return new Readdirplus3Res.Default(Nfsstat3.NFS3ERR_NOTSUPP, new Readdirplus3Resfail(Optional.empty()));
        }
    }
}
