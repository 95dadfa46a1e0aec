// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.client.copy.CopyRecord;
import org.emplace.samples.nfs.client.copy.TreeCopy;
import org.emplace.samples.nfs.client.copy.TreeRemoval;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Create3Res;
import org.emplace.samples.nfs.protocol.Create3Resfail;
import org.emplace.samples.nfs.protocol.Dirlistplus3;
import org.emplace.samples.nfs.protocol.Entryplus3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resfail;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resok;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Resok;
import org.emplace.samples.nfs.protocol.Readlink3Args;
import org.emplace.samples.nfs.protocol.Readlink3Res;
import org.emplace.samples.nfs.protocol.Readlink3Resok;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client defends itself against a hostile server. */
class UntrustworthyServerTest {
    private static final Cookieverf3 VERIFIER = Cookieverf3.of(new byte[8]);
    private static final Fattr3 FILE = OneDirectoryServer.attributes(Ftype3.NF3REG, 5);

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"../stolen", "a/b", "/etc/stolen", "", "zero\0byte"})
    void aNameThatLeadsElsewhereIsAnErrorAndNothingIsWritten(String name) throws Exception {
        CopyRecord record = copy(
                new Listing(List.of(OneDirectoryServer.entry(name, 1, FILE)), true), "/", directory.resolve("inner"));
        assertThat(record.failures).hasSize(1).first().asString().contains("not a valid file name");
        try (Stream<Path> written = Files.walk(directory)) {
            assertThat(written.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void theDotsOfAListingAreNoFiles() throws Exception {
        List<Entryplus3> dots =
                List.of(OneDirectoryServer.entry(".", 1, FILE), OneDirectoryServer.entry("..", 2, FILE));
        try (ServedStub stub = new ServedStub(new Listing(dots, true));
                Stream<Path> entries = Files.list(stub.path("/"))) {
            assertThat(entries).isEmpty();
        }
    }

    @Test
    void aListingThatGoesRoundInCirclesIsAnError() throws Exception {
        assertListingFails(new Listing(List.of(OneDirectoryServer.entry("a", 7, FILE)), false), "repeats itself");
    }

    @Test
    void aListingThatNamesTheDotsForEverIsAnError() throws Exception {
        OneDirectoryServer server = new OneDirectoryServer() {
            @Override
            public Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
                List<Entryplus3> dot = List.of(entry(".", args.cookie() + 1, FILE));
                return new Readdirplus3Res.Nfs3Ok(
                        new Readdirplus3Resok(Optional.empty(), VERIFIER, new Dirlistplus3(dot, false)));
            }
        };
        assertListingFails(server, "repeats");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../stolen", "a/b", "/etc/stolen", "", "zero\0byte"})
    void aFileSystemHasNoEntryThatLeadsElsewhere(String name) throws Exception {
        assertListingFails(
                new Listing(List.of(OneDirectoryServer.entry(name, 1, FILE)), true), "not a valid file name");
    }

    @Test
    void aListingWithoutEntriesAndWithoutEndIsAnError() throws Exception {
        assertListingFails(new Listing(List.of(), false), "before its end");
    }

    @Test
    void aLinkNeverTakesThePlaceOfADirectoryThatFilesGoInto() throws Exception {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        CopyRecord record = copy(new LinkThenDirectory(elsewhere), "/", directory.resolve("copy"));
        assertThat(record.failures).hasSize(1).first().asString().contains("is not a directory");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void aFileWithAnAbsurdSizeIsReadToItsEnd() throws Exception {
        OneDirectoryServer server = new OneDirectoryServer() {
            @Override
            protected Fattr3 attributesOf(NfsFh3 file) {
                return file.equals(ROOT) ? attributes(Ftype3.NF3DIR, 0) : attributes(Ftype3.NF3REG, -1);
            }

            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                return data(args.offset() == 0 ? new byte[] {1, 2, 3} : new byte[0], true);
            }
        };
        Path copy = directory.resolve("copy");
        CopyRecord record = copy(server, "/x", copy);
        assertThat(record.failures).isEmpty();
        assertThat(Files.readAllBytes(copy)).containsExactly(1, 2, 3);
    }

    @Test
    void anEmptyReadBeforeTheEndIsAnErrorAndLeavesNoFile() throws Exception {
        OneDirectoryServer server = new OneDirectoryServer() {
            @Override
            protected Fattr3 attributesOf(NfsFh3 file) {
                return file.equals(ROOT) ? super.attributesOf(file) : FILE;
            }

            @Override
            public Read3Res read(Read3Args args, ServerCall call) {
                return data(new byte[0], false);
            }
        };
        CopyRecord record = copy(server, "/x", directory.resolve("copy"));
        assertThat(record.failures).hasSize(1).first().asString().contains("returned no data");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    @Timeout(30)
    void aFileThatExistsForCreationButNotForLookupIsAnError() throws Exception {
        OneDirectoryServer server = new OneDirectoryServer() {
            @Override
            public Lookup3Res lookup(Lookup3Args args, ServerCall call) {
                return new Lookup3Res.Default(Nfsstat3.NFS3ERR_NOENT, new Lookup3Resfail(Optional.empty()));
            }

            @Override
            public Create3Res create(Create3Args args, ServerCall call) {
                return new Create3Res.Default(Nfsstat3.NFS3ERR_EXIST, new Create3Resfail(MemoryServer.NO_WCC));
            }
        };
        try (ServedStub stub = new ServedStub(server)) {
            assertThatThrownBy(() -> Files.createFile(stub.path("/file")))
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> Files.write(stub.path("/file"), new byte[1]))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
    }

    @Test
    void directoriesThatAreNestedForEverAreAnErrorAndTheRestIsCopied() throws Exception {
        Fattr3 more = OneDirectoryServer.attributes(Ftype3.NF3DIR, 1);
        OneDirectoryServer server = new OneDirectoryServer() {
            @Override
            protected Fattr3 attributesOf(NfsFh3 file) {
                return more;
            }

            @Override
            public Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
                return new Readdirplus3Res.Nfs3Ok(new Readdirplus3Resok(
                        Optional.empty(), VERIFIER, new Dirlistplus3(List.of(entry("d", 1, more)), true)));
            }
        };
        CopyRecord record = copy(server, "/", directory.resolve("copy"));
        assertThat(record.failures).hasSize(1).first().asString().contains("nested more than 1000 deep");
        try (Stream<Path> written = Files.walk(directory.resolve("copy"))) {
            assertThat(written).hasSize(1001);
        }
        try (TreeRemoval removal = new TreeRemoval(record::failed)) {
            removal.remove(List.of(new TreeRemoval.Target(directory.resolve("copy"), null)));
        }
        assertThat(directory).isEmptyDirectory();
    }

    private static void assertListingFails(OneDirectoryServer server, String message) throws Exception {
        try (ServedStub stub = new ServedStub(server);
                Stream<Path> entries = Files.list(stub.path("/"))) {
            assertThatThrownBy(entries::toList)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(message);
        }
    }

    private static CopyRecord copy(OneDirectoryServer server, String from, Path to) throws Exception {
        CopyRecord record = new CopyRecord();
        try (ServedStub stub = new ServedStub(server);
                TreeCopy copy = new TreeCopy(record, Set.of(TreeCopy.Option.RECURSIVE))) {
            copy.copy(stub.path(from), to);
        }
        return record;
    }

    private static Read3Res data(byte[] bytes, boolean eof) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Read3Res.Nfs3Ok(new Read3Resok(Optional.empty(), bytes.length, eof, Payload.of(buffer)));
    }

    /** Lists the same entries for every request. */
    private static final class Listing extends OneDirectoryServer {
        private final List<Entryplus3> entries;
        private final boolean end;

        Listing(List<Entryplus3> entries, boolean end) {
            this.entries = entries;
            this.end = end;
        }

        @Override
        public Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
            return new Readdirplus3Res.Nfs3Ok(
                    new Readdirplus3Resok(Optional.empty(), VERIFIER, new Dirlistplus3(entries, end)));
        }
    }

    /** Has a link that leads out of the export, and a directory of the same name with a file in it. */
    private static final class LinkThenDirectory extends OneDirectoryServer {
        private final Path elsewhere;

        LinkThenDirectory(Path elsewhere) {
            this.elsewhere = elsewhere;
        }

        @Override
        protected Fattr3 attributesOf(NfsFh3 file) {
            return file.equals(ROOT) ? super.attributesOf(file) : attributes(Ftype3.NF3LNK, 1);
        }

        @Override
        public Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
            List<Entryplus3> entries = args.dir().equals(ROOT)
                    ? List.of(
                            entry("twice", 1, attributes(Ftype3.NF3LNK, 1)),
                            entry("twice", 2, attributes(Ftype3.NF3DIR, 1)))
                    : List.of(entry("planted", 1, FILE));
            return new Readdirplus3Res.Nfs3Ok(
                    new Readdirplus3Resok(Optional.empty(), VERIFIER, new Dirlistplus3(entries, true)));
        }

        @Override
        public Readlink3Res readlink(Readlink3Args args, ServerCall call) {
            byte[] target = elsewhere.toString().getBytes(StandardCharsets.UTF_8);
            return new Readlink3Res.Nfs3Ok(new Readlink3Resok(Optional.empty(), Payload.of(ByteBuffer.wrap(target))));
        }
    }
}
