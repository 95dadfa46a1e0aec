// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.source.SourceFile;
import org.emplace.tests.codegen.random.CompiledProtocol;
import org.emplace.tests.codegen.random.Dialect;
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

    private final Map<CompiledProtocol, List<SharedType>> types = new LinkedHashMap<>();

    @SuppressWarnings("NullAway.Init") // set before all tests
    private Recoder recoder;

    /** Compiles all protocols in one C program and in one run of javac. */
    @BeforeAll
    void compile(@TempDir Path folder) throws IOException {
        for (CompiledProtocol protocol : CompiledProtocol.of(
                Seeds.ofThisRun(200).protocols(Dialect.RPCGEN), Files.createDirectory(folder.resolve("x")))) {
            types.put(
                    protocol,
                    protocol.codedTypes().stream()
                            .map(coded -> SharedType.of(coded).orElseThrow())
                            .toList());
        }
        List<SharedType> all = types.values().stream().flatMap(List::stream).toList();
        String text = types.keySet().stream().map(each -> each.source().text()).collect(Collectors.joining("\n"));
        Path definition = Files.writeString(folder.resolve("random.x"), text);
        Analysis analysis = XdrCompiler.analyze(List.of(new SourceFile("random.x", text)));
        Protocol meaning = analysis.meaning()
                .orElseThrow(() -> new IllegalStateException(String.valueOf(analysis.diagnostics())))
                .protocol();
        Path place = Files.createDirectory(folder.resolve("c"));
        recoder = new Recoder(new Rpcgen(place), definition, meaning, all);
    }

    @Test
    void whatIsDecodedIsTheSameValueAndIsEncodedToTheSameBytesInJavaAndInC() throws Exception {
        List<Trial> trials = new ArrayList<>();
        types.forEach((protocol, ofProtocol) -> {
            Random random = new Random(protocol.source().seed());
            for (SharedType type : ofProtocol) {
                for (int i = 0; i < VALUES_PER_TYPE; i++) {
                    RandomValue value = RandomValue.of(type.coded().types(), protocol.meaning(), random);
                    trials.add(new Trial(type, value, protocol.source()));
                }
            }
        });

        Trial.assertSameInJavaAndInC(trials, recoder);
    }

    @Test
    void whatIsMutatedIsRefusedInJavaAndInCOrTheSameValue() throws Exception {
        List<MutationTrial> trials = new ArrayList<>();
        types.forEach((protocol, ofProtocol) -> {
            Random random = new Random(protocol.source().seed());
            trials.addAll(MutationTrial.of(ofProtocol, random, protocol.source()));
        });

        MutationTrial.assertAgreed(trials, recoder);
    }
}
