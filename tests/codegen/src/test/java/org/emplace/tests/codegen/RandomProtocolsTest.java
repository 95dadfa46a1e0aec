// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.XdrCompiler;
import org.emplace.tests.codegen.random.CodedType;
import org.emplace.tests.codegen.random.CompiledProtocol;
import org.emplace.tests.codegen.random.Dialect;
import org.emplace.tests.codegen.random.MutatedBytes;
import org.emplace.tests.codegen.random.RandomProtocol;
import org.emplace.tests.codegen.random.RandomValue;
import org.emplace.tests.codegen.random.Seeds;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random protocols with names that are difficult in Java: the generated code compiles without warnings, and codes random values. A failure shows the
 * seed and the sources. {@link Seeds} explains how to try more.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RandomProtocolsTest {
    private static final int VALUES_PER_TYPE = 10;

    private static final int WORDS = 4096;

    /** A 4-byte word may become a boxed number in an optional in a record in a list. */
    private static final long ALLOCATED_PER_BYTE = 32;

    /** Exceptions with stack traces, loaded classes, and room for elements that were not read yet. */
    private static final long ALLOCATED_FOR_NOTHING = 500_000;

    private final Seeds seeds = Seeds.ofThisRun(100);

    @SuppressWarnings("NullAway.Init") // set before all tests
    private List<CompiledProtocol> protocols;

    @BeforeAll
    void generateAndCompileWithoutAWarning(@TempDir Path folder) throws IOException {
        protocols = CompiledProtocol.of(seeds.protocols(Dialect.WHOLE), folder);
    }

    @Test
    void whatIsDecodedIsTheSameValueAndIsEncodedToTheSameBytes() throws IOException {
        for (CompiledProtocol protocol : protocols) {
            Random random = new Random(protocol.source().seed());
            for (CodedType<?> type : protocol.codedTypes()) {
                for (int i = 0; i < VALUES_PER_TYPE; i++) {
                    RandomValue value = RandomValue.of(type.types(), protocol.meaning(), protocol.clauses(), random);
                    String hex = HexFormat.of().formatHex(value.encoding().bytes());
                    assertThat(type.recoded(value.encoding()))
                            .as("%s of %s", type, protocol.source())
                            .isEqualTo(new CodedType.Recoded(hex, value.text()));
                }
            }
        }
    }

    @Test
    void hostileInputIsDecodedOrRefusedAndTakesMemoryInProportion() {
        for (CompiledProtocol protocol : protocols) {
            Random random = new Random(protocol.source().seed());
            for (CodedType<?> type : protocol.codedTypes()) {
                List<XdrOpaque> inputs = new ArrayList<>(longInputs(random));
                for (int i = 0; i < VALUES_PER_TYPE; i++) {
                    RandomValue value = RandomValue.of(type.types(), protocol.meaning(), protocol.clauses(), random);
                    inputs.addAll(MutatedBytes.of(value.encoding(), random));
                }
                inputs.forEach(input -> assertDecodedOrRefused(type, input, protocol.source()));
            }
        }
    }

    /** Long inputs that a well-behaved peer never sends, for any type: endless optional-data, nested arrays whose counts are as large as the rest of the input, and random bytes. */
    private static List<XdrOpaque> longInputs(Random random) {
        List<XdrOpaque> inputs = new ArrayList<>();
        inputs.add(words(i -> 0));
        inputs.add(words(i -> 1));
        inputs.add(words(i -> i % 2));
        for (int size = 1; size <= 8; size++) {
            int elementWords = size;
            inputs.add(words(i -> (WORDS - 1 - i) / elementWords));
        }
        for (int bound : new int[] {2, 2, 3, 5, 100}) {
            inputs.add(words(i -> random.nextInt(bound)));
        }
        return inputs;
    }

    private static XdrOpaque words(IntUnaryOperator word) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * WORDS);
        for (int i = 0; i < WORDS; i++) {
            bytes.putInt(word.applyAsInt(i));
        }
        return XdrOpaque.of(bytes.array());
    }

    private static void assertDecodedOrRefused(CodedType<?> type, XdrOpaque input, RandomProtocol source) {
        Allocations allocations = new Allocations();
        Throwable failure = catchThrowable(() -> type.decode(input));
        long bytes = allocations.bytes();

        assertThat(failure)
                .as("%s, given %s, of %s", type, input, source)
                .matches(each -> each == null || each instanceof XdrException);
        assertThat(bytes)
                .as("bytes allocated for %s, given %s, of %s", type, input, source)
                .isLessThan(ALLOCATED_PER_BYTE * input.length() + ALLOCATED_FOR_NOTHING);
    }

    @Test
    void generatingTwiceGivesTheSameBytesWhateverTheOrderOfFiles(@TempDir Path folder) throws IOException {
        for (RandomProtocol protocol : new Seeds(seeds.first(), 20).protocols(Dialect.WHOLE)) {
            CompiledProtocol.Generated once = CompiledProtocol.Generated.of(protocol, folder);
            List<CompileRequest.Source> files = new ArrayList<>(protocol.sources(folder));
            Collections.reverse(files);
            assertThat(XdrCompiler.compile(new CompileRequest(files, "random.s" + protocol.seed()))
                            .generated())
                    .as("%s", protocol)
                    .isEqualTo(once.result().generated());
        }
    }
}
