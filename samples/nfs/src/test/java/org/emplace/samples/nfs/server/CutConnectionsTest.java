// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.Rpc;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.CuttingProxy;
import org.emplace.rpc.RpcConnection;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Createhow3;
import org.emplace.samples.nfs.protocol.Createmode3;
import org.emplace.samples.nfs.protocol.Createverf3;
import org.emplace.samples.nfs.protocol.Link3Args;
import org.emplace.samples.nfs.protocol.Lookup3Args;
import org.emplace.samples.nfs.protocol.Lookup3Res;
import org.emplace.samples.nfs.protocol.Mkdir3Args;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Remove3Args;
import org.emplace.samples.nfs.protocol.Rename3Args;
import org.emplace.samples.nfs.protocol.Rmdir3Args;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Operations that cannot be repeated take effect exactly once, and their callers know the result, while connections are cut anywhere in calls and
 * replies. {@code -Dcuts.operations=N} sets their number.
 */
@Timeout(36_000)
final class CutConnectionsTest {
    private static final int OPERATIONS = Integer.getInteger("cuts.operations", 600);
    private static final int CALLERS = 4;
    /** About a dozen operations. */
    private static final int MOST_BYTES_OF_A_CONNECTION = 8000;

    private static final ConnectionOptions QUICK =
            ConnectionOptions.DEFAULT.withCredits(CALLERS).withDelays(Duration.ofMillis(1), Duration.ofMillis(50));

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @EnumSource(
            value = Served.On.class,
            names = {"TCP_POSIX", "RDMA_POSIX"})
    void operationsTakeEffectOnce(Served.On on) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try (Served served = new Served(on, temporary);
                CuttingProxy proxy = new CuttingProxy(served.port())) {
            NfsFh3 root = served.root();
            proxy.cutWithin(MOST_BYTES_OF_A_CONNECTION, 14);
            URI address = proxy.address(on.protocol);
            try (RpcConnection connection = Rpc.client(address, QUICK)) {
                List<Future<Set<String>>> callers = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    callers.add(threads.submit(new Caller(
                            Nfs3Client.on(connection).with(Served.inTheNameOf(0, 0)), root, "caller" + i, i)));
                }
                Set<String> expected = new TreeSet<>();
                for (Future<Set<String>> caller : callers) {
                    expected.addAll(caller.get());
                }
                assertThat(names(served.directory)).isEqualTo(expected);
                assertThat(proxy.cuts()).isGreaterThan(OPERATIONS / 50);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Set<String> names(Path directory) throws Exception {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).collect(Collectors.toSet());
        }
    }

    /** Creates, renames, links and removes names of its own, and knows which of them exist. */
    private static final class Caller implements Callable<Set<String>> {
        private final Nfs3Client nfs;
        private final NfsFh3 root;
        private final String prefix;
        private final Random random;
        private final List<String> files = new ArrayList<>();
        private final List<String> directories = new ArrayList<>();
        private int made;

        Caller(Nfs3Client nfs, NfsFh3 root, String prefix, int seed) {
            this.nfs = nfs;
            this.root = root;
            this.prefix = prefix;
            this.random = new Random(seed);
        }

        @Override
        public Set<String> call() throws Exception {
            for (int i = 0; i < OPERATIONS / CALLERS; i++) {
                String operation = "operation " + i + " of " + prefix;
                assertThat(perform()).as(operation).isEqualTo(Nfsstat3.NFS3_OK);
            }
            Set<String> names = new TreeSet<>(files);
            names.addAll(directories);
            return names;
        }

        private Nfsstat3 perform() throws Exception {
            String name = prefix + "-" + made++;
            switch (files.isEmpty() ? 0 : random.nextInt(7)) {
                case 0 -> {
                    files.add(name);
                    return create(name, new Createhow3.Unchecked(Createmode3.GUARDED, RemoteAttributes.UNCHANGED));
                }
                case 1 -> {
                    files.add(name);
                    Createverf3 verifier = Createverf3.of(
                            ByteBuffer.allocate(8).putLong(random.nextLong()).array());
                    return create(name, new Createhow3.Exclusive(verifier));
                }
                case 2 -> {
                    directories.add(name);
                    return nfs.mkdir(new Mkdir3Args(Served.in(root, name), RemoteAttributes.UNCHANGED))
                            .status();
                }
                case 3 -> {
                    return nfs.remove(new Remove3Args(Served.in(root, any(files))))
                            .status();
                }
                case 4 -> {
                    String before = any(files);
                    files.add(name);
                    return nfs.rename(new Rename3Args(Served.in(root, before), Served.in(root, name)))
                            .status();
                }
                case 5 -> {
                    files.add(name);
                    return link(files.get(random.nextInt(files.size() - 1)), name);
                }
                default -> {
                    if (directories.isEmpty()) {
                        return Nfsstat3.NFS3_OK;
                    }
                    return nfs.rmdir(new Rmdir3Args(Served.in(root, any(directories))))
                            .status();
                }
            }
        }

        private Nfsstat3 create(String name, Createhow3 how) throws Exception {
            return nfs.create(new Create3Args(Served.in(root, name), how)).status();
        }

        private Nfsstat3 link(String existing, String name) throws Exception {
            NfsFh3 file = ((Lookup3Res.Nfs3Ok) nfs.lookup(new Lookup3Args(Served.in(root, existing))))
                    .resok()
                    .object();
            return nfs.link(new Link3Args(file, Served.in(root, name))).status();
        }

        private String any(List<String> names) {
            return names.remove(random.nextInt(names.size()));
        }
    }
}
