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
 * A protocol drawn at random. Procedures take every type that it defines.
 *
 * @param files XDR texts by file name, and sidecars; the types of one are used in others
 */
public record RandomProtocol(long seed, Dialect dialect, SortedMap<String, String> files) {

    public RandomProtocol {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    /** The protocol that a seed stands for: the first draft in which no two things have one name in Java. */
    public static RandomProtocol of(long seed, Dialect dialect) {
        Random random = new Random(dialect == Dialect.RPCGEN ? seed : -seed);
        RandomProtocol draft;
        do {
            draft = new ProtocolDraft(seed, dialect, random).finish();
        } while (draft.hasClashes());
        return draft;
    }

    /** Whether two things in it have one name in Java. */
    boolean hasClashes() {
        return analysis().diagnostics().stream().anyMatch(each -> each.code().equals("E226"));
    }

    /** What the compiler says of it. */
    public Analysis analysis() {
        return XdrCompiler.analyze(files.entrySet().stream()
                .map(file -> new SourceFile(file.getKey(), file.getValue()))
                .toList());
    }

    /** What to compile if the files stand in a folder: the compiler finds sidecars by itself. */
    public List<CompileRequest.Source> sources(Path folder) {
        return files.keySet().stream()
                .filter(name -> name.endsWith(".x"))
                .map(name -> new CompileRequest.Source(folder.resolve(name), name))
                .toList();
    }

    /** All files, one after the other. */
    public String text() {
        return String.join("\n", files.values());
    }

    /** The seed and the files, to find out what went wrong with them. */
    @Override
    public String toString() {
        return files.entrySet().stream()
                .map(file -> "/* ==== " + file.getKey() + " ==== */\n" + file.getValue())
                .collect(Collectors.joining("\n", dialect + " protocol of seed " + seed + "\n", ""));
    }
}
