// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.emplace.rdma.RdmaProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A provider reports its counters to the flight recorder. */
final class FlightRecorderTest {
    private static final String COUNTERS = "org.emplace.rdma.Counters";

    @TempDir
    Path folder;

    @Test
    void aProviderReportsItsCountersUntilItIsClosed() throws Exception {
        long ofOthers = reports();
        RdmaProvider provider = ProviderUnderTest.CHOSEN.open();
        assertThat(reports()).isEqualTo(ofOthers + 1);

        provider.close();

        assertThat(reports()).isEqualTo(ofOthers);
    }

    /** How many providers report at the end of a recording. */
    private long reports() throws IOException {
        Path file = folder.resolve("counters.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(COUNTERS).with("period", "endChunk");
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(COUNTERS))
                .count();
    }
}
