// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.source.SourceFile;
import org.emplace.tests.codegen.random.CodedType;
import org.emplace.tests.codegen.random.CompiledProtocol;
import org.emplace.tests.codegen.random.Dialect;
import org.emplace.tests.codegen.random.RandomValue;
import org.emplace.tests.codegen.random.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random values of random protocols: our generated code and rpcgen's with libtirpc have to agree on them and on their bytes. All protocols
 * go into one C program, and into one run of javac. A failure shows the seed and the sources; {@link Seeds} says how to try more.
 */
class RandomProtocolBytesTest {
    private static final int VALUES_PER_TYPE = 10;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void whatIsDecodedIsTheSameValueAndIsEncodedToTheSameBytesInJavaAndInC() throws Exception {
        List<CompiledProtocol> protocols = CompiledProtocol.of(
                Seeds.ofThisRun(200).protocols(Dialect.RPCGEN), Files.createDirectory(folder.resolve("x")));
        List<SharedType> types = new ArrayList<>();
        List<Trial> trials = new ArrayList<>();
        for (CompiledProtocol protocol : protocols) {
            Random random = new Random(protocol.source().seed());
            for (CodedType<?> coded : protocol.codedTypes()) {
                SharedType type = SharedType.of(coded).orElseThrow();
                types.add(type);
                for (int i = 0; i < VALUES_PER_TYPE; i++) {
                    RandomValue value = RandomValue.of(coded.types(), protocol.meaning(), random);
                    trials.add(new Trial(type, value, protocol.source()));
                }
            }
        }

        Trial.assertSameInJavaAndInC(trials, recoder(protocols, types));
    }

    /** One definition of all protocols. */
    private Recoder recoder(List<CompiledProtocol> protocols, List<SharedType> types) throws IOException {
        String text = protocols.stream().map(each -> each.source().text()).collect(Collectors.joining("\n"));
        Path definition = Files.writeString(folder.resolve("random.x"), text);
        Protocol meaning = XdrCompiler.analyze(List.of(new SourceFile("random.x", text)))
                .meaning()
                .orElseThrow()
                .protocol();
        return new Recoder(new Rpcgen(Files.createDirectory(folder.resolve("c"))), definition, meaning, types);
    }
}
