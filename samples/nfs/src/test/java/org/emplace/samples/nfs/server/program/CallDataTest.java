// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.Test;

/** Names and targets are checked before they are copied. */
final class CallDataTest {
    /** The payload is still in the client's memory. */
    @Test
    void aTargetThatNoLinkCanHaveIsNotFetched() throws Exception {
        assertThat(CallData.target(Payload.of(ByteBuffer.allocate(4096)))).hasSize(4096);
        Payload unavailable = new Payload() {
            @Override
            public long length() {
                return 4097;
            }

            @Override
            public ByteBuffer buffer() {
                throw new AssertionError("fetched");
            }

            @Override
            public CompletionStage<Void> fetchInto(ByteBuffer sink) {
                throw new AssertionError("fetched");
            }
        };
        assertThatThrownBy(() -> CallData.target(unavailable))
                .isInstanceOfSatisfying(
                        StoreException.class,
                        rejected -> assertThat(rejected.failure()).isEqualTo(Failure.NAMETOOLONG));
    }

    @Test
    void aNameThatNoFileCanHaveIsRejected() throws Exception {
        assertThat(CallData.name(XdrString.of("n".repeat(255)), 255)).isEqualTo(FileName.of("n".repeat(255)));
        for (int length : new int[] {256, 4 << 20}) {
            assertThatThrownBy(() -> CallData.name(XdrString.of("n".repeat(length)), 255))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            rejected -> assertThat(rejected.failure()).isEqualTo(Failure.NAMETOOLONG))
                    .hasMessageContaining("at most 255");
        }
    }
}
