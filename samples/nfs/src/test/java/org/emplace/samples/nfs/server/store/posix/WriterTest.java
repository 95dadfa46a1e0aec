// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.WriteVerifier;
import org.emplace.samples.nfs.server.store.StoreException;
import org.junit.jupiter.api.Test;

/** What a failed write-back does, at the latest when the file is closed because nobody uses it. The file is /dev/null, whose fsync fails. */
class WriterTest {
    private final WriteVerifier verifier = new WriteVerifier();

    private Writer open() throws IOException {
        byte[] path = NameBytes.terminated(FileName.of("/dev/null"));
        return new Writer(Descriptor.of(SystemCalls.open(path, SystemCalls.WRITE_ONLY), "opening"), verifier);
    }

    @Test
    void aFileWhoseDataCannotBeStoredWhenItIsClosedChangesTheWriteVerifier() throws IOException {
        Writer writer = open();
        writer.write(() -> 1);
        assertClosingLosesData(writer);
    }

    /** That fsync may have come before the data: it does not count for it. */
    @Test
    void anotherThreadsFsyncDuringAWriteHidesNoLoss() throws IOException {
        Writer writer = open();
        writer.write(() -> {
            assertThatThrownBy(() -> writer.synchronize(false)).isInstanceOf(StoreException.class);
            return 1;
        });
        assertClosingLosesData(writer);
    }

    private void assertClosingLosesData(Writer writer) {
        long before = verifier.value();
        assertThatThrownBy(writer::close).isInstanceOf(StoreException.class).hasMessageContaining("fsync");
        assertThat(verifier.value()).isNotEqualTo(before);
    }

    @Test
    void aFileWithoutNewDataIsClosedWithoutFsync() throws IOException {
        long before = verifier.value();
        open().close();
        assertThat(verifier.value()).isEqualTo(before);
    }
}
