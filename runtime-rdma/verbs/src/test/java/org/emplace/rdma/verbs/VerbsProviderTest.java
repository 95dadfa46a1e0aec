// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.verbs.jni.NativeLibrary;
import org.junit.jupiter.api.Test;

/** Opening the provider, with devices or without. */
final class VerbsProviderTest {

    @Test
    void aProviderThatCannotBeOpenedOrIsClosedHoldsNoDescriptors() throws Exception {
        assertThat(NativeLibrary.unavailable()).isEmpty();
        long before = pollers();
        for (int i = 0; i < 3; i++) {
            try {
                VerbsProvider.open(VerbsOptions.fromSystemProperties()).close();
            } catch (RdmaException noRdmaHere) {
                assertThat(noRdmaHere).hasMessageStartingWith("verbs: ");
            }
        }

        assertThat(pollers()).isEqualTo(before);
    }

    private static long pollers() throws IOException {
        List<String> open = new ArrayList<>();
        try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                open.add(target(descriptor));
            }
        }
        return open.stream().filter(target -> target.contains("eventpoll")).count();
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
