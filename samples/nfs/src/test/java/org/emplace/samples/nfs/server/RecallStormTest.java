// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.samples.nfs.protocol.v4.Constants.OPEN4_SHARE_ACCESS_BOTH;
import static org.emplace.samples.nfs.protocol.v4.Constants.OPEN4_SHARE_ACCESS_READ;
import static org.emplace.samples.nfs.protocol.v4.Constants.OPEN4_SHARE_ACCESS_WANT_NO_DELEG;
import static org.emplace.samples.nfs.protocol.v4.Constants.OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.emplace.samples.nfs.protocol.v4.CbRecall4Args;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundCall;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.StableHow4;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that hold delegations want each other's files, all at a time, with one slot for callbacks each. */
final class RecallStormTest {
    private static final int CLIENTS = 4;
    private static final int FILES = 20;
    private static final byte[] CONTENT = new byte[1 << 16];

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void everybodyGetsWhatOthersHeld(String transport) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try (Served4 server = new Served4(temporary, true)) {
            CyclicBarrier barrier = new CyclicBarrier(CLIENTS);
            List<Future<Integer>> returned = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                returned.add(threads.submit(() -> run(server.address(transport), server.first, number, barrier)));
            }
            int all = 0;
            for (Future<Integer> each : returned) {
                all += each.get(120, TimeUnit.SECONDS);
            }
            assertThat(all).isEqualTo(CLIENTS * FILES);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns how many delegations it had to return. */
    private static int run(URI server, Path directory, int number, CyclicBarrier barrier) throws Exception {
        try (CalledClient client = new CalledClient(server, "client " + number)) {
            List<String> others = new ArrayList<>();
            for (int i = 0; i < FILES; i++) {
                client.open(directory, number + "-" + i, OPEN4_SHARE_ACCESS_BOTH | OPEN4_SHARE_ACCESS_WANT_WRITE_DELEG);
                for (int other = 0; other < CLIENTS; other++) {
                    if (other != number) {
                        others.add(other + "-" + i);
                    }
                }
            }
            Collections.shuffle(others, new Random(number));
            barrier.await(60, TimeUnit.SECONDS);
            int returned = 0;
            for (String name : others) {
                while (!readAndWrite(client, directory, name)) {
                    returned += giveBack(client);
                }
                returned += giveBack(client);
            }
            while (returned < FILES) {
                assertThat(client.giveBack(client.recall())).isEqualTo(Nfsstat4.NFS4_OK);
                returned++;
            }
            barrier.await(60, TimeUnit.SECONDS);
            return returned;
        }
    }

    private static int giveBack(CalledClient client) throws IOException, InterruptedException {
        List<CbRecall4Args> recalls = new ArrayList<>();
        client.recalls.drainTo(recalls);
        for (CbRecall4Args recall : recalls) {
            assertThat(client.giveBack(recall)).isEqualTo(Nfsstat4.NFS4_OK);
        }
        return recalls.size();
    }

    private static boolean readAndWrite(CalledClient client, Path directory, String name)
            throws IOException, InterruptedException {
        Nfs4CompoundCall call = client.client.at(directory, false);
        client.client.open(call, "owner", name, OPEN4_SHARE_ACCESS_READ | OPEN4_SHARE_ACCESS_WANT_NO_DELEG, 0);
        call.write(Client4.ANONYMOUS, 0, StableHow4.UNSTABLE4, Payload.of(ByteBuffer.wrap(CONTENT)));
        call.read(Client4.ANONYMOUS, 0, CONTENT.length, null);
        Nfsstat4 status = call.await().status();
        assertThat(status).isIn(Nfsstat4.NFS4_OK, Nfsstat4.NFS4ERR_DELAY);
        return status == Nfsstat4.NFS4_OK;
    }
}
