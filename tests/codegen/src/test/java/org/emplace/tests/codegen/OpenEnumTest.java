// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.XdrCompiler;
import org.emplace.tests.codegen.constructs.Answer;
import org.emplace.tests.codegen.constructs.History;
import org.emplace.tests.codegen.constructs.Known;
import org.emplace.tests.codegen.constructs.Outcome;
import org.emplace.tests.codegen.constructs.Strict;
import org.emplace.tests.codegen.random.JavaSources;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Enums that may have values without a name in their definition. */
class OpenEnumTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    private static <T extends XdrValue> void assertWire(T value, Reader<T> reader, String hex) throws XdrException {
        assertThat(Wire.hex(value)).isEqualTo(hex.replace(" ", ""));
        assertThat(Wire.value(hex, reader)).isEqualTo(value);
    }

    @Test
    void anUnknownValueIsKept() throws XdrException {
        assertWire(Outcome.of(99), Outcome::decode, "00000063");
        assertThat(Wire.value("00000063", Outcome::decode).value()).isEqualTo(99);
        assertThat(Outcome.of(99))
                .isEqualTo(new Outcome.Unknown(99))
                .hasSameHashCodeAs(new Outcome.Unknown(99))
                .isNotEqualTo(Outcome.of(98))
                .asString()
                .contains("99");
    }

    @Test
    void aKnownValueIsTheConstant() throws XdrException {
        assertWire(Outcome.BUSY, Outcome::decode, "fffffff9");
        assertThat(Outcome.of(5)).isSameAs(Outcome.REFUSED).isSameAs(Outcome.Known.REFUSED);
        assertThat(Outcome.REFUSED.value()).isEqualTo(5);
        assertThat(Outcome.REFUSED).hasToString("REFUSED");
        assertThat(Outcome.OVERLOADED).isSameAs(Outcome.BUSY);
    }

    @Test
    void aKnownValueIsNeverAnUnknownOne() {
        assertThatThrownBy(() -> new Outcome.Unknown(5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("outcome 5 is REFUSED");
    }

    @Test
    void unknownValuesStandWhereverTheTypeDoes() throws XdrException {
        assertWire(
                new History(Outcome.of(1), List.of(Outcome.DONE, Outcome.of(2)), List.of(Known.of(1), Known.of(-1))),
                History::decode,
                "00000001 00000002 00000000 00000002 00000001 ffffffff");
    }

    @Test
    void theDefaultArmTakesUnknownValues() throws XdrException {
        assertWire(new Answer.Done(3), Answer::decode, "00000000 00000003");
        assertWire(new Answer.Refused(Outcome.BUSY), Answer::decode, "fffffff9");
        assertWire(new Answer.Default(Outcome.of(99), 4), Answer::decode, "00000063 00000004");
        assertThatThrownBy(() -> new Answer.Default(Outcome.DONE, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Answer.Refused(Outcome.of(99))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void withoutADefaultArmUnknownValuesAreMalformed() throws XdrException {
        assertWire(new Strict.Done(Outcome.BUSY), Strict::decode, "fffffff9");
        assertThatThrownBy(() -> Wire.value("00000063", Strict::decode))
                .isInstanceOf(XdrException.class)
                .hasMessageContaining("strict has no arm for");
    }

    @Test
    void constantsDoNotHideTheNestedTypes() {
        assertThat(Known.Known.value()).isEqualTo(1);
        assertThat(Known.Unknown_.value()).isEqualTo(2);
        assertThat(Known.of(1)).isInstanceOf(Known.KnownValue.class);
        assertThat(Known.of(7)).isEqualTo(new Known.Unknown(7));
    }

    /** The interface has the enum's constants, and the enum implements the interface: none may be null, whichever is initialized first. */
    @ParameterizedTest
    @ValueSource(strings = {"p.Status", "p.Status$Known", "p.Status$Unknown"})
    void constantsAreThereWhicheverClassIsInitializedFirst(String first) throws Exception {
        ClassLoader loader = status().loader();
        Class.forName(first, true, loader);

        assertThatTheConstantsAreOneObject(loader);
    }

    @Test
    void theClassesAreInitializedByTwoThreadsAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 20; i++) {
                ClassLoader loader = status().loader();
                CyclicBarrier start = new CyclicBarrier(2);
                List<Future<?>> both = List.of("p.Status", "p.Status$Known").stream()
                        .<Future<?>>map(name -> threads.submit(() -> {
                            start.await();
                            return Class.forName(name, true, loader);
                        }))
                        .toList();
                for (Future<?> each : both) {
                    each.get(1, TimeUnit.MINUTES);
                }
                assertThatTheConstantsAreOneObject(loader);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertThatTheConstantsAreOneObject(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> status = Class.forName("p.Status", true, loader);
        Class<?> known = Class.forName("p.Status$Known", true, loader);
        assertThat(status.getField("GOOD").get(null))
                .isNotNull()
                .isSameAs(known.getDeclaredField("GOOD").get(null))
                .isSameAs(status.getMethod("of", int.class).invoke(null, 4));
    }

    private JavaSources.Compiled status() throws IOException {
        JavaSources.Compiled compiled = JavaSources.compile(sources());
        assertThat(compiled.messages()).isEmpty();
        return compiled;
    }

    private SortedMap<String, String> sources() throws IOException {
        Path file = Files.writeString(folder.resolve("status.x"), "/*@ddp open */ enum status { GOOD = 4, BAD = 5 };");
        return new TreeMap<>(
                XdrCompiler.compile(new CompileRequest(List.of(new CompileRequest.Source(file, "status.x")), "p"))
                        .generated());
    }

    /** On JDK 17 users switch on the constants of {@code Known}. */
    @Test
    void aSwitchOverConstantsAndUnknownIsExhaustiveFromJava21On() throws Exception {
        String unknown = "case Status.Unknown unknown -> \"status \" + unknown.value();";
        String example = """
                package p;
                class Example {
                    static String text(Status status) {
                        return switch (status) {
                            case Status.Known.GOOD -> "good";
                            case Status.Known.BAD -> "bad";
                            %s
                        };
                    }
                }
                """;

        if (Runtime.version().feature() < 21) {
            assertThat(javac(example.formatted(unknown))).contains("patterns in switch");
        } else {
            assertThat(javac(example.formatted(unknown))).isEmpty();
            assertThat(javac(example.formatted(""))).contains("does not cover all possible input values");
        }
        assertThat(javac("""
                package p;
                class Example {
                    static String text(Status status) {
                        if (!(status instanceof Status.Known known)) {
                            return "status " + status.value();
                        }
                        return switch (known) {
                            case GOOD -> "good";
                            case BAD -> "bad";
                        };
                    }
                }
                """)).isEmpty();
    }

    private String javac(String example) throws IOException {
        SortedMap<String, String> sources = sources();
        sources.put("p/Example.java", example);
        return JavaSources.compile(sources).messages();
    }
}
