// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.client.OneDirectoryServer;
import org.emplace.samples.nfs.client.ServedStub;
import org.emplace.samples.nfs.protocol.Dirlistplus3;
import org.emplace.samples.nfs.protocol.Entryplus3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Lookup3Resok;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Resfail;
import org.emplace.samples.nfs.protocol.Readdirplus3Resok;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryStreamTest {
    /** A listing of three parts with one file each. Records the cookies that clients send. */
    private static final class ThreeParts extends OneDirectoryServer {
        private final BlockingQueue<Long> asked = new LinkedBlockingQueue<>();

        @Override
        public Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
            asked.add(args.cookie());
            long cookie = args.cookie() + 1;
            List<Entryplus3> part = List.of(entry("file" + cookie, cookie, attributes(Ftype3.NF3REG, 0)));
            return new Readdirplus3Res.Nfs3Ok(
                    new Readdirplus3Resok(Optional.empty(), args.cookieverf(), new Dirlistplus3(part, cookie == 3)));
        }
    }

    /** Has a directory that somebody replaces when it has been looked up, or when its first part has been read. Each has a file more. */
    private static final class Replaced extends OneDirectoryServer {
        private final boolean whileItIsRead;
        private final int most;
        private int replacements;

        Replaced(boolean whileItIsRead, int most) {
            this.whileItIsRead = whileItIsRead;
            this.most = most;
        }

        private NfsFh3 directory() {
            return handle("directory " + replacements);
        }

        private void replace() {
            replacements = Math.min(replacements + 1, most);
        }

        @Override
        protected Fattr3 attributesOf(NfsFh3 file) {
            return attributes(Ftype3.NF3DIR, 0);
        }

        @Override
        public synchronized Lookup3Res lookup(Lookup3Args args, ServerCall call) {
            NfsFh3 directory = directory();
            if (!whileItIsRead) {
                replace();
            }
            return new Lookup3Res.Nfs3Ok(
                    new Lookup3Resok(directory, Optional.of(attributesOf(directory)), Optional.empty()));
        }

        @Override
        public synchronized Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
            if (!args.dir().equals(directory())) {
                return new Readdirplus3Res.Default(Nfsstat3.NFS3ERR_STALE, new Readdirplus3Resfail(Optional.empty()));
            }
            boolean last = replacements == most;
            List<Entryplus3> part = new ArrayList<>();
            for (int i = 0; i <= replacements; i++) {
                part.add(entry("file" + i, i + 1, attributes(Ftype3.NF3REG, 0)));
            }
            replace();
            return new Readdirplus3Res.Nfs3Ok(
                    new Readdirplus3Resok(Optional.empty(), args.cookieverf(), new Dirlistplus3(part, last)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whenADirectoryIsReplacedTheNewOneIsListed(boolean whileItIsRead) throws Exception {
        try (ServedStub stub = new ServedStub(new Replaced(whileItIsRead, 1));
                DirectoryStream<Path> entries = Files.newDirectoryStream(stub.path("/directory"))) {
            assertThat(entries).extracting(Path::toString).containsExactly("/directory/file0", "/directory/file1");
        }
    }

    /** Or a listing would not end. */
    @Test
    void aDirectoryThatIsReplacedAgainAndAgainIsStale() throws Exception {
        try (ServedStub stub = new ServedStub(new Replaced(true, 100));
                DirectoryStream<Path> entries = Files.newDirectoryStream(stub.path("/directory"))) {
            List<Path> found = new ArrayList<>();
            assertThatThrownBy(() -> entries.forEach(found::add))
                    .isInstanceOf(DirectoryIteratorException.class)
                    .hasMessageContaining("Stale file handle");
            assertThat(found).doesNotHaveDuplicates().hasSizeGreaterThan(2);
        }
    }

    @Test
    void theNextPartOfAListingIsRequestedAhead() throws Exception {
        ThreeParts server = new ThreeParts();
        try (ServedStub stub = new ServedStub(server);
                DirectoryStream<Path> entries = Files.newDirectoryStream(stub.path("/"))) {
            Iterator<Path> files = entries.iterator();
            List<String> names =
                    new ArrayList<>(List.of(files.next().getFileName().toString()));
            assertThat(server.asked.poll(10, TimeUnit.SECONDS)).isZero();
            assertThat(server.asked.poll(10, TimeUnit.SECONDS)).isOne();

            files.forEachRemaining(file -> names.add(file.getFileName().toString()));

            assertThat(names).containsExactly("file1", "file2", "file3");
            assertThat(server.asked).containsExactly(2L);
        }
    }
}
