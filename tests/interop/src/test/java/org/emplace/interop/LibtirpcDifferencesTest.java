// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.emplace.interop.Recoder.Sample;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where our generated code differs from rpcgen's with libtirpc on purpose: on what RFC 4506 does not allow, and on zero bytes in strings. */
class LibtirpcDifferencesTest {
    private static final Path DEFINITION = Path.of("..", "..", "spec", "nlm4.x");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void aBooleanIsZeroOrOneAndNotAnyNumber() throws Exception {
        Sample seven = sample("nlm4_holder", "00000007 00000001 00000000 0000000000000000 0000000000000000");

        assertThat(inC(seven)).startsWith("00000001");
        assertThatThrownBy(() -> inJava(seven)).isInstanceOf(XdrException.class);
    }

    @Test
    void anEnumHasNoValuesButItsEnumerators() throws Exception {
        Sample unknown = sample("nlm4_stat", "0000004d");

        assertThat(inC(unknown)).isEqualTo("0000004d");
        assertThatThrownBy(() -> inJava(unknown)).isInstanceOf(XdrException.class);
    }

    @Test
    void aStringDoesNotEndAtAZeroByte() throws Exception {
        Sample zero = sample("nlm4_notify", "00000003 61006200 00000001");

        assertThat(inC(zero)).isEqualTo("000000016100000000000001");
        assertThat(inJava(zero)).isEqualTo("000000036100620000000001");
    }

    private static Sample sample(String type, String hex) throws Exception {
        SharedType<?> shared = CompiledSpec.of(DEFINITION).types().stream()
                .filter(each -> each.name().equals(type))
                .findFirst()
                .orElseThrow();
        return new Sample(shared, XdrOpaque.of(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }

    private String inC(Sample sample) throws Exception {
        Recoder recoder = new Recoder(
                new Rpcgen(folder), DEFINITION, CompiledSpec.of(DEFINITION).protocol(), List.of(sample.type()));
        return recoder.recoded(List.of(sample)).get(0);
    }

    private static String inJava(Sample sample) throws Exception {
        return sample.type().recoded(sample.encoding());
    }
}
