// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.client.MemoryServer;
import org.emplace.samples.nfs.client.OneDirectoryServer;
import org.emplace.samples.nfs.client.ServedStub;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Create3Resfail;
import org.emplace.samples.nfs.protocol.Dirlistplus3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Mkdir3Args;
import org.emplace.samples.nfs.protocol.Mkdir3Res;
import org.emplace.samples.nfs.protocol.Mkdir3Resfail;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Resok;
import org.emplace.samples.nfs.protocol.Specdata3;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A copy of what differs, on a server that keeps whole seconds, and on one that keeps fractions too. */
class WholeSecondsTest {
    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path directory = Path.of("");

    /**
     * @param time of the source
     * @param changed the fraction, in nanoseconds, of the time at which the copy was changed last
     */
    @ParameterizedTest
    @CsvSource({
        "2001-09-09T01:46:40Z, 0, false",
        "2001-09-09T01:46:40Z, 5, false",
        "2001-09-09T01:46:40.987654Z, 0, false",
        "2001-09-09T01:46:40.987654Z, 5, true",
        "2001-09-09T01:46:41Z, 0, true",
        "2001-09-09T01:46:39.987654Z, 0, true"
    })
    void aFileIsCopiedAgainUnlessItsCopyHasItsTimeOrTheSecondsOfIt(Instant time, int changed, boolean copied)
            throws Exception {
        Files.setLastModifiedTime(Files.writeString(directory.resolve("f"), "text"), FileTime.from(time));
        CopyRecord record = new CopyRecord();
        try (ServedStub stub = new ServedStub(new WithOneFile(changed));
                TreeCopy copy =
                        new TreeCopy(record, Set.of(TreeCopy.Option.RECURSIVE, TreeCopy.Option.DIFFERENT_ONLY))) {
            copy.copy(directory, stub.path("/d"));
        }
        assertThat(record.failures.isEmpty()).isEqualTo(!copied);
    }

    /** Has a directory with one file of four bytes, and has no room for more. */
    private static final class WithOneFile extends OneDirectoryServer {
        private final int changed;

        WithOneFile(int changed) {
            this.changed = changed;
        }

        @Override
        protected Fattr3 attributesOf(NfsFh3 file) {
            return attributes(Ftype3.NF3DIR, 0);
        }

        @Override
        public Mkdir3Res mkdir(Mkdir3Args args, ServerCall call) {
            return new Mkdir3Res.Default(Nfsstat3.NFS3ERR_EXIST, new Mkdir3Resfail(MemoryServer.NO_WCC));
        }

        @Override
        public Create3Res create(Create3Args args, ServerCall call) {
            return new Create3Res.Default(Nfsstat3.NFS3ERR_NOSPC, new Create3Resfail(MemoryServer.NO_WCC));
        }

        @Override
        public Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
            Fattr3 file = new Fattr3(
                    Ftype3.NF3REG,
                    0644,
                    1,
                    0,
                    0,
                    4,
                    4,
                    new Specdata3(0, 0),
                    1,
                    2,
                    new Nfstime3(SECOND, 0),
                    new Nfstime3(SECOND, 0),
                    new Nfstime3(SECOND, changed));
            return new Readdirplus3Res.Nfs3Ok(new Readdirplus3Resok(
                    Optional.empty(),
                    Cookieverf3.of(new byte[8]),
                    new Dirlistplus3(List.of(entry("f", 1, file)), true)));
        }
    }
}
