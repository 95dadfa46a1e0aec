// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.emplace.interop.Recoder.Sample;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random values of every type of every protocol definition: our generated code and rpcgen's with libtirpc have to agree on their bytes. */
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
        List<SharedType<?>> types = spec.types();
        List<Sample> samples = new ArrayList<>();
        Random random = new Random(SEED);
        for (SharedType<?> type : types) {
            for (int i = 0; i < VALUES_PER_TYPE; i++) {
                samples.add(new Sample(type, RandomEncoding.of(type.type(), spec.protocol(), random)));
            }
        }

        List<String> inC = new Recoder(new Rpcgen(folder), definition, spec.protocol(), types).recoded(samples);

        assertThat(types).isNotEmpty();
        assertThat(inC).hasSameSizeAs(samples);
        for (int i = 0; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            String hex = HexFormat.of().formatHex(sample.encoding().bytes());
            assertThat(sample.type().recoded(sample.encoding()))
                    .as("%s in Java, seed %d, sample %d", sample.type(), SEED, i)
                    .isEqualTo(hex);
            assertThat(inC.get(i))
                    .as("%s in C, seed %d, sample %d", sample.type(), SEED, i)
                    .isEqualTo(hex);
        }
    }
}
