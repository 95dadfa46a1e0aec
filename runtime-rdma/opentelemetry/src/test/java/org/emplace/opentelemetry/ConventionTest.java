// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.semconv.ErrorAttributes;
import io.opentelemetry.semconv.RpcAttributes;
import io.opentelemetry.semconv.ServerAttributes;
import io.opentelemetry.semconv.incubating.NfsIncubatingAttributes;
import io.opentelemetry.semconv.incubating.NfsIncubatingMetrics;
import io.opentelemetry.semconv.incubating.OncRpcIncubatingAttributes;
import io.opentelemetry.semconv.incubating.RpcIncubatingMetrics;
import org.emplace.opentelemetry.Instruments.Convention;
import org.junit.jupiter.api.Test;

/** The names are those of OpenTelemetry's artifacts. */
final class ConventionTest {
    @Test
    void attributesHaveTheConventionsNames() {
        assertThat(Convention.SYSTEM).isEqualTo(RpcAttributes.RPC_SYSTEM_NAME);
        assertThat(Convention.METHOD).isEqualTo(RpcAttributes.RPC_METHOD);
        assertThat(Convention.ERROR).isEqualTo(ErrorAttributes.ERROR_TYPE);
        assertThat(Convention.SERVER_ADDRESS).isEqualTo(ServerAttributes.SERVER_ADDRESS);
        assertThat(Convention.SERVER_PORT).isEqualTo(ServerAttributes.SERVER_PORT);
        assertThat(Convention.PROGRAM_NAME).isEqualTo(OncRpcIncubatingAttributes.ONC_RPC_PROGRAM_NAME);
        assertThat(Convention.VERSION).isEqualTo(OncRpcIncubatingAttributes.ONC_RPC_VERSION);
        assertThat(Convention.PROCEDURE_NAME).isEqualTo(OncRpcIncubatingAttributes.ONC_RPC_PROCEDURE_NAME);
        assertThat(Convention.PROCEDURE_NUMBER).isEqualTo(OncRpcIncubatingAttributes.ONC_RPC_PROCEDURE_NUMBER);
        assertThat(Convention.REPLY_CACHE).isEqualTo(NfsIncubatingAttributes.NFS_SERVER_REPCACHE_STATUS);
    }

    @Test
    void metricsHaveTheConventionsNames() {
        assertThat(Convention.CLIENT_DURATION).isEqualTo(RpcIncubatingMetrics.RPC_CLIENT_CALL_DURATION_NAME);
        assertThat(Convention.SERVER_DURATION).isEqualTo(RpcIncubatingMetrics.RPC_SERVER_CALL_DURATION_NAME);
        assertThat(Convention.NFS_CLIENT_CALLS).isEqualTo(NfsIncubatingMetrics.NFS_CLIENT_RPC_COUNT_NAME);
        assertThat(Convention.NFS_CLIENT_PROCEDURES).isEqualTo(NfsIncubatingMetrics.NFS_CLIENT_PROCEDURE_COUNT_NAME);
        assertThat(Convention.NFS_CLIENT_RETRANSMITS)
                .isEqualTo(NfsIncubatingMetrics.NFS_CLIENT_RPC_RETRANSMIT_COUNT_NAME);
        assertThat(Convention.NFS_SERVER_CALLS).isEqualTo(NfsIncubatingMetrics.NFS_SERVER_RPC_COUNT_NAME);
        assertThat(Convention.NFS_SERVER_PROCEDURES).isEqualTo(NfsIncubatingMetrics.NFS_SERVER_PROCEDURE_COUNT_NAME);
        assertThat(Convention.NFS_SERVER_REPLY_CACHE).isEqualTo(NfsIncubatingMetrics.NFS_SERVER_REPCACHE_REQUESTS_NAME);
    }
}
