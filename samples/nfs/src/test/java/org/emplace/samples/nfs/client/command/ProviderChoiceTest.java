// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import org.emplace.RpcRuntime;
import org.emplace.samples.nfs.client.command.ServedExport.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command reports RDMA providers, and its user can choose one. */
class ProviderChoiceTest {
    @TempDir
    private Path temporary = Path.of("");

    @AfterEach
    void chooseNone() {
        System.clearProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY);
    }

    @Test
    void devicesListsEachProviderWithItsCapabilities() {
        Outcome outcome = ServedExport.runAlone("devices");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.output().lines())
                .contains("iwarp: software, iWARP, active", "    remote invalidation   both ways");
    }

    @Test
    void softwareIwarpCanBeRequested() throws Exception {
        try (ServedExport served = new ServedExport("rdma", temporary)) {
            assertThat(served.run("ls", "--provider", "iwarp", served.url("/")).status())
                    .isZero();
            assertThat(System.getProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY)).isEqualTo("iwarp");
        }
    }

    /** Each host is reported once, so this spelling occurs in no other test. */
    @Test
    void verboseReportsTheProviderAndTheReason() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        Logger transport = Logger.getLogger("org.emplace.rpcrdma.RdmaTransport");
        transport.setFilter(entry -> said.add(entry.getMessage()));
        try (ServedExport served = new ServedExport("rdma", temporary)) {
            String url = served.url("/").replace("127.0.0.1", "LOCALHOST");
            assertThat(served.run("ls", "--verbose", url).status()).isZero();
        } finally {
            transport.setFilter(null);
            transport.setLevel(null);
        }
        assertThat(said).anyMatch(line -> line.startsWith("RDMA to LOCALHOST by iwarp"));
    }

    @Test
    void aProviderThatIsNotInstalledIsWrongUsageAndThoseThatAreAreListed() throws Exception {
        try (ServedExport served = new ServedExport("rdma", temporary)) {
            Outcome outcome = served.run("ls", "--provider", "token-ring", served.url("/"));

            assertThat(outcome.status()).isEqualTo(2);
            assertThat(outcome.errors())
                    .contains("--provider", "there is no RDMA provider 'token-ring' here; installed: ", "iwarp");
            assertThat(System.getProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY)).isNull();
        }
    }
}
