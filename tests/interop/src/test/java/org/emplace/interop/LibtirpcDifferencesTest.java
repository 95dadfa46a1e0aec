// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.source.SourceFile;
import org.emplace.interop.Recoder.Sample;
import org.emplace.tests.codegen.random.CodedType.Recoded;
import org.emplace.tests.codegen.random.CompiledProtocol;
import org.emplace.tests.codegen.random.Dialect;
import org.emplace.tests.codegen.random.RandomProtocol;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Intended differences between our generated code and rpcgen's with libtirpc: values that RFC 4506 does not allow, and zero bytes in strings. */
class LibtirpcDifferencesTest {
    private static final Path DEFINITION = Path.of("..", "..", "spec", "nlm4.x");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void aBooleanIsZeroOrOneAndNotAnyNumber() throws Exception {
        Sample seven = sample("nlm4_holder", "00000007 00000001 00000000 0000000000000000 0000000000000000");

        assertThat(inC(seven)).hasValueSatisfying(it -> assertThat(it.hex()).startsWith("00000001"));
        assertThatThrownBy(() -> inJava(seven)).isInstanceOf(XdrException.class);
    }

    @Test
    void anEnumHasNoValuesButItsEnumerators() throws Exception {
        Sample unknown = sample("nlm4_stat", "0000004d");

        assertThat(inC(unknown)).contains(new Recoded("0000004d", " 77"));
        assertThatThrownBy(() -> inJava(unknown)).isInstanceOf(XdrException.class);
    }

    @Test
    void aStringDoesNotEndAtAZeroByte() throws Exception {
        Sample zero = sample("nlm4_notify", "00000003 61006200 00000001");

        assertThat(inC(zero)).contains(new Recoded("000000016100000000000001", " 1:61 1"));
        assertThat(inJava(zero)).isEqualTo(new Recoded("000000036100620000000001", " 3:610062 1"));
    }

    @Test
    void anIntegerKeepsItsFourBytesWhateverCCallsIt() throws Exception {
        String text = """
                struct narrow { short a; unsigned char b; };
                program P { version V { narrow GET(narrow) = 1; } = 1; } = 0x20000001;
                """;
        RandomProtocol source = new RandomProtocol(0, Dialect.RPCGEN, new TreeMap<>(Map.of("narrow.x", text)));
        CompiledProtocol protocol = CompiledProtocol.of(List.of(source), folder).get(0);
        SharedType type = SharedType.of(protocol.codedTypes().get(0)).orElseThrow();
        Sample wide = new Sample(type, XdrOpaque.of(HexFormat.of().parseHex("0001234500000167")));
        Path place = Files.createDirectory(folder.resolve("c"));
        Recoder recoder = new Recoder(new Rpcgen(place), folder.resolve("narrow.x"), protocol.meaning(), List.of(type));

        assertThat(recoder.recoded(List.of(wide)).get(0))
                .hasValueSatisfying(it -> assertThat(it.hex()).isEqualTo("0000234500000067"));
        assertThat(inJava(wide).hex()).isEqualTo("0001234500000167");
    }

    @Test
    void structsAndUnionsNeedNoNames() throws Exception {
        Path file = Files.writeString(folder.resolve("anonymous.x"), "struct outer { struct { int a; } inner; };\n");
        Path place = Files.createDirectory(folder.resolve("c"));

        assertThatThrownBy(() -> new Rpcgen(place).compile(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("rpcgen");
        assertThat(XdrCompiler.analyze(List.of(new SourceFile("anonymous.x", Files.readString(file))))
                        .meaning())
                .isPresent();
    }

    private static Sample sample(String type, String hex) throws Exception {
        SharedType shared = CompiledSpec.of(DEFINITION).types().stream()
                .filter(each -> each.coded().name().equals(type))
                .findFirst()
                .orElseThrow();
        return new Sample(shared, XdrOpaque.of(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }

    private Optional<Recoded> inC(Sample sample) throws Exception {
        Recoder recoder = new Recoder(
                new Rpcgen(folder), DEFINITION, CompiledSpec.of(DEFINITION).protocol(), List.of(sample.type()));
        return recoder.recoded(List.of(sample)).get(0);
    }

    private static Recoded inJava(Sample sample) throws Exception {
        return sample.type().coded().recoded(sample.encoding());
    }
}
