// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.emplace.tests.codegen.random.RandomValue;
import org.emplace.tests.codegen.random.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random values of random protocols: our generated code and rpcgen's with libtirpc must agree on the values, on their bytes, and on which bytes are
 * invalid. A failure shows the seed and the sources. {@link Seeds} explains how to try more.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RandomProtocolBytesTest {
    private static final int VALUES_PER_TYPE = 10;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private RandomProtocolsInC protocols;

    @BeforeAll
    void compile(@TempDir Path folder) throws IOException {
        protocols = RandomProtocolsInC.of(Seeds.ofThisRun(200), folder);
    }

    @Test
    void whatIsDecodedIsTheSameValueAndIsEncodedToTheSameBytesInJavaAndInC() throws Exception {
        List<Trial> trials = new ArrayList<>();
        protocols.types().forEach((protocol, types) -> {
            Random random = new Random(protocol.source().seed());
            for (SharedType type : types) {
                for (int i = 0; i < VALUES_PER_TYPE; i++) {
                    RandomValue value = RandomValue.of(type.coded().types(), protocol.meaning(), random);
                    trials.add(new Trial(type, value, protocol.source()));
                }
            }
        });

        Trial.assertSameInJavaAndInC(trials, protocols.recoder());
    }

    @Test
    void whatIsMutatedIsRefusedInJavaAndInCOrTheSameValue() throws Exception {
        List<MutationTrial> trials = new ArrayList<>();
        protocols.types().forEach((protocol, types) -> {
            Random random = new Random(protocol.source().seed());
            trials.addAll(MutationTrial.of(types, random, protocol.source()));
        });

        MutationTrial.assertAgreed(trials, protocols.recoder());
    }
}
