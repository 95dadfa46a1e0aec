// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.config.Options;
import japicmp.model.JApiClass;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.jar.JarOutputStream;
import java.util.stream.LongStream;
import java.util.zip.ZipEntry;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.compare.Change;
import org.emplace.compiler.compare.Comparison;
import org.emplace.tests.codegen.random.CompiledProtocol;
import org.emplace.tests.codegen.random.Edit;
import org.emplace.tests.codegen.random.JavaSources;
import org.emplace.tests.codegen.random.RandomProtocol;
import org.emplace.tests.codegen.random.Seeds;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code xdrc compare} says that a change breaks the Java API where japicmp, which looks at the class files, says that it does, and nowhere else. */
class ComparedApiTest {

    static LongStream seeds() {
        Seeds seeds = Seeds.ofThisRun(12);
        return LongStream.range(seeds.first(), seeds.first() + seeds.count());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatBreaksTheClassesIsSaidToBreakThem(long seed, @TempDir Path folder) throws IOException {
        Edit edit = Edit.of(seed);
        List<Change> changes = Comparison.of(side(edit.before()), side(edit.after()));
        List<String> broken = brokenClasses(jar(edit.before(), folder), jar(edit.after(), folder));

        assertThat(changes.stream().anyMatch(each -> each.effect() == Change.Effect.API_BREAKING))
                .as("%s breaks %s; compare says %s", edit, broken, changes)
                .isEqualTo(!broken.isEmpty());
    }

    private static Comparison.Side side(RandomProtocol protocol) {
        Analysis.Meaning meaning = protocol.analysis().meaning().orElseThrow();
        return new Comparison.Side(meaning.protocol(), meaning.binding(), meaning.java());
    }

    private static Path jar(RandomProtocol protocol, Path folder) throws IOException {
        SortedMap<String, String> sources =
                CompiledProtocol.Generated.of(protocol, folder).result().generated();
        JavaSources.Compiled compiled = JavaSources.compile(sources);
        assertThat(compiled.messages()).as("%s", protocol).isEmpty();
        Path jar = Files.createTempFile(folder, "classes", ".jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            for (Map.Entry<String, byte[]> each : compiled.classFiles().entrySet()) {
                out.putNextEntry(new ZipEntry(each.getKey().replace('.', '/') + ".class"));
                out.write(each.getValue());
                out.closeEntry();
            }
        }
        return jar;
    }

    private static List<String> brokenClasses(Path before, Path after) {
        JarArchiveComparatorOptions options = JarArchiveComparatorOptions.of(Options.newDefault());
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
        return new JarArchiveComparator(options)
                .compare(new JApiCmpArchive(before.toFile(), "1"), new JApiCmpArchive(after.toFile(), "2")).stream()
                        .filter(each -> !each.isBinaryCompatible() || !each.isSourceCompatible())
                        .map(JApiClass::getFullyQualifiedName)
                        .toList();
    }
}
