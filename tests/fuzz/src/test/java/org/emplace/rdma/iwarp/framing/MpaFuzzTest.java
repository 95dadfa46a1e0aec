// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.EOFException;
import java.io.IOException;
import org.emplace.tests.fuzz.FuzzedWire;
import org.emplace.tests.fuzz.Fuzzing;

/** MPA connection set-up (RFC 5044 section 7, RFC 6581): what a peer sends first is a frame, or refused. */
class MpaFuzzTest {

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void requestsAreTakenOrRefused(FuzzedDataProvider data) throws IOException {
        read(MpaFrame.Kind.REQUEST, data);
    }

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void repliesAreTakenOrRefused(FuzzedDataProvider data) throws IOException {
        read(MpaFrame.Kind.REPLY, data);
    }

    private static void read(MpaFrame.Kind kind, FuzzedDataProvider data) throws IOException {
        FuzzedWire wire = new FuzzedWire(data);
        MpaFrame.Reader reader = new MpaFrame.Reader(wire, kind);
        try {
            MpaFrame frame = null;
            while (frame == null) {
                frame = reader.read();
            }
        } catch (StreamException | EOFException refused) {
            // What a peer may bring about.
        }
    }
}
