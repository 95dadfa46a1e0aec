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

    /** Has a directory that somebody replaces when it has been looked up for the first time, or when the first part has been read. */
    private static final class Replaced extends OneDirectoryServer {
        private final boolean whileItIsRead;
        private int generation;

        Replaced(boolean whileItIsRead) {
            this.whileItIsRead = whileItIsRead;
        }

        @Override
        protected Fattr3 attributesOf(NfsFh3 file) {
            return attributes(Ftype3.NF3DIR, 0);
        }

        @Override
        public synchronized Lookup3Res lookup(Lookup3Args args, ServerCall call) {
            NfsFh3 directory = handle("directory " + generation);
            generation = whileItIsRead ? 0 : 1;
            return new Lookup3Res.Nfs3Ok(
                    new Lookup3Resok(directory, Optional.of(attributesOf(directory)), Optional.empty()));
        }

        @Override
        public synchronized Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
            if (!args.dir().equals(handle("directory " + generation))) {
                return new Readdirplus3Res.Default(Nfsstat3.NFS3ERR_STALE, new Readdirplus3Resfail(Optional.empty()));
            }
            boolean last = !whileItIsRead;
            generation = 1;
            List<Entryplus3> part = List.of(entry("file", 1, attributes(Ftype3.NF3REG, 0)));
            return new Readdirplus3Res.Nfs3Ok(
                    new Readdirplus3Resok(Optional.empty(), args.cookieverf(), new Dirlistplus3(part, last)));
        }
    }

    @Test
    void aDirectoryThatIsReplacedBeforeItIsReadIsLookedUpAgain() throws Exception {
        try (ServedStub stub = new ServedStub(new Replaced(false));
                DirectoryStream<Path> entries = Files.newDirectoryStream(stub.path("/directory"))) {
            assertThat(entries).extracting(Path::toString).containsExactly("/directory/file");
        }
    }

    /** Its entries would be those of two directories. */
    @Test
    void aDirectoryThatIsReplacedWhileItIsReadIsStale() throws Exception {
        try (ServedStub stub = new ServedStub(new Replaced(true));
                DirectoryStream<Path> entries = Files.newDirectoryStream(stub.path("/directory"))) {
            Iterator<Path> files = entries.iterator();
            files.next();
            assertThatThrownBy(files::hasNext)
                    .isInstanceOf(DirectoryIteratorException.class)
                    .hasMessageContaining("Stale file handle");
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
