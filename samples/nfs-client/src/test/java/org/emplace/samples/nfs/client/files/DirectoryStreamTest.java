// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
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
