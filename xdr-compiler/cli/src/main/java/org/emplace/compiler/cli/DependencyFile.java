// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.emplace.compiler.CompileRequest;
import org.emplace.compiler.source.SourceFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;


/**
 * Writes the rule that tells make what a run read. Every run writes this file, and writes it last, so that it can be the target of make: generated
 * sources whose text stays the same are not touched, and would seem out of date forever.
 */
final class DependencyFile {

    @Option(
            names = "--depfile",
            paramLabel = "FILE",
            description =
                    "writes a make rule whose prerequisites are the files that were read, for inclusion in a makefile")
    private @Nullable Path file;

    @Option(
            names = "--depfile-target",
            paramLabel = "NAME",
            description = "the target of that rule; default: the --depfile FILE itself, which every run writes")
    private @Nullable String target;

    /** Writes the file, if the option is given. */
    void write(List<CompileRequest.Source> requested, List<SourceFile> read) throws IOException {
        if (file == null) {
            return;
        }
        List<String> names = read.stream()
                .map(SourceFile::name)
                .map(ImportedFiles::fileOf)
                .distinct()
                .toList();
        Predicate<String> isRequested =
                requested.stream().map(CompileRequest.Source::name).toList()::contains;
        MakeRule rule = new MakeRule(
                target == null ? file.toString() : target,
                names.stream().filter(isRequested).toList(),
                names.stream().filter(isRequested.negate()).toList());
        Optional<String> impossible = rule.impossibleName();
        if (impossible.isPresent()) {
            throw new FileSystemException(file.toString(), null, "a makefile cannot name `" + impossible.get() + "`");
        }
        Files.writeString(file, rule.text());
    }

    /**
     * A rule for make without a recipe, which states the prerequisites of a target.
     *
     * @param prerequisites files of the command line
     * @param further other files that were read. Each also gets a rule without prerequisites, so that make does not fail if one no longer exists: the
     *     next run finds out whether it is needed
     */
    record MakeRule(String target, List<String> prerequisites, List<String> further) {

        /** Characters that make interprets, unless a backslash precedes them. */
        private static final String SPECIAL = " \t#:*?[";

        /** Characters that make always interprets. */
        private static final String IMPOSSIBLE = ";|\n";

        MakeRule {
            prerequisites = List.copyOf(prerequisites);
            further = List.copyOf(further);
        }

        /** The first of the names that a makefile cannot express, if any. */
        Optional<String> impossibleName() {
            return Stream.of(List.of(target), prerequisites, further)
                    .flatMap(List::stream)
                    .filter(name -> name.chars().anyMatch(c -> IMPOSSIBLE.indexOf(c) >= 0))
                    .findFirst();
        }

        /** The text for a makefile. */
        String text() {
            StringBuilder text = new StringBuilder(escaped(target).replace("%", "\\%")).append(':');
            prerequisites.forEach(name -> text.append(" \\\n  ").append(escaped(name)));
            further.forEach(name -> text.append(" \\\n  ").append(escaped(name)));
            text.append('\n');
            further.forEach(name ->
                    text.append('\n').append(escaped(name).replace("%", "\\%")).append(":\n"));
            return text.toString();
        }

        private static String escaped(String name) {
            StringBuilder text = new StringBuilder();
            int backslashes = 0;
            for (int i = 0; i < name.length(); i++) {
                char c = name.charAt(i);
                if (SPECIAL.indexOf(c) >= 0) {
                    // Otherwise these would escape each other.
                    text.append("\\".repeat(backslashes + 1));
                } else if (c == '$') {
                    text.append('$');
                }
                text.append(c);
                backslashes = c == '\\' ? backslashes + 1 : 0;
            }
            return text.toString();
        }
    }
}
