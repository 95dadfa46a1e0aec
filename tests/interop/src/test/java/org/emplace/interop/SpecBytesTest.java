// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.emplace.tests.codegen.random.RandomValue;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random values of every type of every protocol definition: our generated code and rpcgen's must agree on their bytes, and on which bytes are
 * invalid.
 */
class SpecBytesTest {
    private static final long SEED = 4506;
    private static final int VALUES_PER_TYPE = 20;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    static List<Path> definitions() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("..", "..", "spec"))) {
            return files.filter(file -> file.toString().endsWith(".x")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void whatIsDecodedIsEncodedToTheSameBytesInJavaAndInC(Path definition) throws Exception {
        CompiledSpec spec = CompiledSpec.of(definition);
        List<SharedType> types = spec.types();
        assertThat(types).isNotEmpty();
        List<Trial> trials = new ArrayList<>();
        Random random = new Random(SEED);
        for (SharedType type : types) {
            for (int i = 0; i < VALUES_PER_TYPE; i++) {
                trials.add(new Trial(
                        type,
                        RandomValue.of(type.coded().types(), spec.protocol(), spec.clauses(), random),
                        "seed " + SEED));
            }
        }

        Trial.assertSameInJavaAndInC(trials, new Recoder(new Rpcgen(folder), definition, spec.protocol(), types));
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void whatIsMutatedIsRefusedInJavaAndInCOrTheSameValue(Path definition) throws Exception {
        CompiledSpec spec = CompiledSpec.of(definition);
        List<SharedType> types = spec.strictTypes();
        List<MutationTrial> trials = MutationTrial.of(types, new Random(SEED), "seed " + SEED);

        MutationTrial.assertAgreed(trials, new Recoder(new Rpcgen(folder), definition, spec.protocol(), types));
    }
}
