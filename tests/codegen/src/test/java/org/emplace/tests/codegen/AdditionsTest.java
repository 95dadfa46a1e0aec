// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.emplace.tests.codegen.random.CompiledProtocol;
import org.emplace.tests.codegen.random.Edit;
import org.emplace.tests.codegen.random.JavaSources;
import org.emplace.tests.codegen.random.RandomProtocol;
import org.emplace.tests.codegen.random.Seeds;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Additions to a protocol do not change the Java names and types of its existing elements. */
class AdditionsTest {

    static LongStream seeds() {
        return Seeds.ofThisRun(12).stream();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatIsAddedChangesNothingThatIsThere(long seed, @TempDir Path folder) throws Exception {
        Edit grown = Edit.growth(seed);
        SortedMap<String, Set<String>> before = declarations(grown.before(), folder);
        SortedMap<String, Set<String>> after = declarations(grown.after(), folder);

        assertThat(after.size()).isGreaterThan(before.size());
        before.forEach((type, members) -> assertThat(after.get(type))
                .as("%s of %s", type, grown)
                .isNotNull()
                .containsAll(members));
    }

    /** The visible declarations of each class. */
    private static SortedMap<String, Set<String>> declarations(RandomProtocol protocol, Path folder)
            throws IOException, ClassNotFoundException {
        SortedMap<String, String> sources =
                CompiledProtocol.Generated.of(protocol, folder).result().generated();
        JavaSources.Compiled compiled = JavaSources.compile(sources);
        assertThat(compiled.messages()).as("%s", protocol).isEmpty();
        SortedMap<String, Set<String>> declarations = new TreeMap<>();
        for (String path : sources.keySet()) {
            String name = path.replaceFirst("\\.java$", "").replace('/', '.');
            add(Class.forName(name, false, compiled.loader()), declarations);
        }
        return declarations;
    }

    private static void add(Class<?> type, SortedMap<String, Set<String>> declarations) {
        Set<String> members = new TreeSet<>();
        members.add(type.toGenericString());
        Arrays.stream(type.getGenericInterfaces()).forEach(each -> members.add("is a " + each));
        Stream.<Executable>concat(
                        Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
                .filter(each -> !each.isSynthetic())
                .forEach(each -> members.add(each.toGenericString()));
        Arrays.stream(type.getDeclaredFields())
                .filter(each -> !each.isSynthetic())
                .forEach(each -> members.add(each.toGenericString()));
        declarations.put(type.getName(), members);
        for (Class<?> inside : type.getDeclaredClasses()) {
            add(inside, declarations);
        }
    }
}
