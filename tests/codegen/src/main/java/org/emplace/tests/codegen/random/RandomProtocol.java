// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.random;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.emplace.compiler.Analysis;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.XdrCompiler;
import org.emplace.compiler.source.SourceFile;

/**
 * A random protocol. Its procedures use every type that it defines.
 *
 * @param files texts of XDR files and sidecars by file name; files use types of others
 */
public record RandomProtocol(long seed, Dialect dialect, SortedMap<String, String> files) {

    public RandomProtocol {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    /** The protocol of a seed: the first draft without name clashes in Java. */
    public static RandomProtocol of(long seed, Dialect dialect) {
        Random random = new Random(dialect == Dialect.RPCGEN ? seed : -seed);
        RandomProtocol draft;
        do {
            draft = new ProtocolDraft(seed, dialect, random).finish();
        } while (draft.hasClashes());
        return draft;
    }

    /** Whether two of its elements have the same name in Java. */
    boolean hasClashes() {
        return analysis().diagnostics().stream().anyMatch(each -> each.code().equals("E226"));
    }

    /** The compiler's analysis. */
    public Analysis analysis() {
        return XdrCompiler.analyze(files.entrySet().stream()
                .map(file -> new SourceFile(file.getKey(), file.getValue()))
                .toList());
    }

    /** The sources to compile if the files are in a folder. The compiler finds sidecars itself. */
    public List<CompileRequest.Source> sources(Path folder) {
        return files.keySet().stream()
                .filter(name -> name.endsWith(".x"))
                .map(name -> new CompileRequest.Source(folder.resolve(name), name))
                .toList();
    }

    /** All files, concatenated. */
    public String text() {
        return String.join("\n", files.values());
    }

    /** The seed and the files, for failure messages. */
    @Override
    public String toString() {
        return files.entrySet().stream()
                .map(file -> "/* ==== " + file.getKey() + " ==== */\n" + file.getValue())
                .collect(Collectors.joining("\n", dialect + " protocol of seed " + seed + "\n", ""));
    }
}
