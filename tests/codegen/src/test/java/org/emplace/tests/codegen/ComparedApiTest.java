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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.LongStream;
import java.util.zip.ZipEntry;
import org.emplace.compiler.compare.Comparison.Change;
import org.emplace.compiler.compare.Comparison;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.tests.codegen.random.CallerSource;
import org.emplace.tests.codegen.random.CompiledProtocol;
import org.emplace.tests.codegen.random.Edit;
import org.emplace.tests.codegen.random.JavaSources;
import org.emplace.tests.codegen.random.RandomProtocol;
import org.emplace.tests.codegen.random.Seeds;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code xdrc compare} reports an API break exactly if a caller that uses the old classes' entire API no longer compiles against the new ones.
 * japicmp, which compares class files, agrees. It also agrees with the JVM on whether that caller, compiled before, still links.
 */
class ComparedApiTest {
    private static final Set<String> NUMBERS = Set.of("int", "long");

    static LongStream seeds() {
        return Seeds.ofThisRun(12).stream();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatBreaksCallersIsSaidToBreakThem(long seed, @TempDir Path folder) throws Exception {
        Edit edit = Edit.of(seed);
        List<Change> changes = Comparison.of(model(edit.before()), model(edit.after()));
        boolean isSaid = changes.stream().anyMatch(each -> each.effect() == Change.Effect.API_BREAKING);
        Path old = jar(edit.before(), folder);
        Path now = jar(edit.after(), folder);
        Map<String, String> caller = caller(old);
        JavaSources.Compiled compiled = JavaSources.compile(caller, old);
        assertThat(compiled.messages()).as("%s", edit).isEmpty();
        assertThat(linkageErrors(compiled, old)).as("%s", edit).isEmpty();
        List<JApiClass> broken = brokenClasses(old, now);

        String messages = JavaSources.compile(caller, now).messages();
        assertThat(!messages.isEmpty())
                .as("%s; compare says %s, javac %s", edit, changes, messages)
                .isEqualTo(isSaid);
        assertThat(!broken.isEmpty())
                .as("%s; compare says %s, japicmp %s", edit, changes, broken)
                .isEqualTo(isSaid);
        List<LinkageError> errors = linkageErrors(compiled, now);
        assertThat(!errors.isEmpty())
                .as("%s; compare says %s, the JVM %s", edit, changes, errors)
                .isEqualTo(broken.stream().anyMatch(ComparedApiTest::breaksCompiledCode));
    }

    /** Whether a break affects compiled code. The loss of a constant does not, because javac inlines its value. */
    private static boolean breaksCompiledCode(JApiClass broken) {
        boolean breaksOthers = !broken.getCompatibilityChanges().isEmpty()
                || broken.getMethods().stream().anyMatch(each -> !each.isBinaryCompatible())
                || broken.getConstructors().stream().anyMatch(each -> !each.isBinaryCompatible());
        boolean losesConstants = broken.getFields().stream()
                .filter(each -> !each.isBinaryCompatible())
                .allMatch(each -> each.getType().getOldTypeOptional().stream().allMatch(NUMBERS::contains));
        return !broken.isBinaryCompatible() && (breaksOthers || !losesConstants);
    }

    static JavaModel model(RandomProtocol protocol) {
        return protocol.analysis().meaning().orElseThrow();
    }

    private static Path jar(RandomProtocol protocol, Path folder) throws IOException {
        return jar(CompiledProtocol.Generated.of(protocol, folder).result().generated(), folder);
    }

    /** Compiles sources by path, and puts their classes into a jar. */
    static Path jar(Map<String, String> sources, Path folder) throws IOException {
        JavaSources.Compiled compiled = JavaSources.compile(sources);
        assertThat(compiled.messages()).as("%s", sources.keySet()).isEmpty();
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

    private static Map<String, String> caller(Path jar) throws IOException, ClassNotFoundException {
        try (JarFile names = new JarFile(jar.toFile());
                URLClassLoader loader = loader(jar)) {
            List<Class<?>> classes = new ArrayList<>();
            for (JarEntry entry : Collections.list(names.entries())) {
                String name = entry.getName().replaceFirst("\\.class$", "").replace('/', '.');
                if (!name.contains("$")) {
                    classes.add(Class.forName(name, false, loader));
                }
            }
            return Map.of(CallerSource.NAME + ".java", CallerSource.of(classes));
        }
    }

    private static URLClassLoader loader(Path jar) throws IOException {
        return new URLClassLoader(new URL[] {jar.toUri().toURL()}, ComparedApiTest.class.getClassLoader());
    }

    /** The linkage errors when the compiled caller runs with the classes of a jar. */
    private static List<LinkageError> linkageErrors(JavaSources.Compiled caller, Path jar)
            throws IOException, ReflectiveOperationException {
        List<LinkageError> errors = new ArrayList<>();
        try (URLClassLoader classes = loader(jar)) {
            for (Method use :
                    caller.loader(classes).loadClass(CallerSource.NAME).getDeclaredMethods()) {
                use.setAccessible(true);
                try {
                    use.invoke(null);
                } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof LinkageError error) {
                        errors.add(error);
                    }
                }
            }
        } catch (LinkageError e) {
            errors.add(e);
        }
        return errors;
    }

    static List<JApiClass> brokenClasses(Path before, Path after) {
        JarArchiveComparatorOptions options = JarArchiveComparatorOptions.of(Options.newDefault());
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
        return new JarArchiveComparator(options)
                .compare(new JApiCmpArchive(before.toFile(), "1"), new JApiCmpArchive(after.toFile(), "2")).stream()
                        .filter(each -> !each.isBinaryCompatible() || !each.isSourceCompatible())
                        .toList();
    }
}
