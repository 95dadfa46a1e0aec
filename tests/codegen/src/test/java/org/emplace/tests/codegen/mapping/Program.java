// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.emplace.rpc.Procedure;
import org.emplace.tests.codegen.random.CompiledProtocol;
import org.emplace.tests.codegen.random.Dialect;
import org.emplace.tests.codegen.random.JavaSources;
import org.emplace.tests.codegen.random.RandomProtocol;

/**
 * A drawn protocol with its generated classes.
 *
 * @param stub calls it by the generated client
 * @param warnings the codes of the compiler's warnings
 */
record Program(Draft draft, Procedure<?, ?> procedure, Stub stub, Set<String> warnings) {
    /** Compiles drafts: the XDR files one by one, the Java sources together. Leaves out those that the compiler rejects. */
    static List<Program> of(List<Draft> drafts, List<String> rejected) throws IOException {
        Path folder = Files.createTempDirectory("mapping");
        List<Draft> accepted = new ArrayList<>();
        List<CompiledProtocol.Generated> generated = new ArrayList<>();
        SortedMap<String, String> sources = new TreeMap<>();
        for (Draft draft : drafts) {
            String file = "map" + draft.seed() + ".x";
            RandomProtocol protocol =
                    new RandomProtocol(draft.program(), Dialect.WHOLE, new TreeMap<>(Map.of(file, draft.text())));
            try {
                CompiledProtocol.Generated one = CompiledProtocol.Generated.of(protocol, folder);
                sources.putAll(one.result().generated());
                String stub = stubOf(draft);
                sources.put(stub.replace('.', '/') + ".java", new StubText(draft).text(stub));
                generated.add(one);
                accepted.add(draft);
            } catch (IllegalStateException refused) {
                rejected.add(refused.getMessage());
            }
            Files.delete(folder.resolve(file));
        }
        Files.delete(folder);
        JavaSources.Compiled compiled = JavaSources.compile(sources);
        if (!compiled.messages().isEmpty()) {
            throw new IllegalStateException(compiled.messages());
        }
        ClassLoader loader = compiled.loader();
        List<Program> programs = new ArrayList<>();
        for (int i = 0; i < accepted.size(); i++) {
            programs.add(of(accepted.get(i), generated.get(i), loader));
        }
        return programs;
    }

    private static Program of(Draft draft, CompiledProtocol.Generated generated, ClassLoader loader) {
        Set<String> warnings = generated.result().diagnostics().stream()
                .map(each -> each.code())
                .filter(code -> code.startsWith("W"))
                .collect(Collectors.toUnmodifiableSet());
        Procedure<?, ?> procedure = Objects.requireNonNull(
                        generated.loaded(loader).procedures().get(List.of(draft.program(), 1L, 1L)))
                .procedure();
        try {
            Class<?> stub = loader.loadClass(stubOf(draft));
            return new Program(draft, procedure, (Stub) stub.getConstructor().newInstance(), warnings);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(draft.text(), e);
        }
    }

    /** The class that calls a drawn procedure, in the package of the generated ones. */
    private static String stubOf(Draft draft) {
        return "random.s" + draft.program() + ".MapStub";
    }

    /** Whether the compiler warns that replies have no limit. */
    boolean isReplyUnlimited() {
        return warnings.contains("W322");
    }

    /** Whether the compiler warns that the number of Write chunks is not known. */
    boolean isWarnedOfChunks() {
        return warnings.contains("W323");
    }
}
