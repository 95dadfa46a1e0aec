// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
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
}
