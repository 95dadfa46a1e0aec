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
 * Tells make what a run read. The file is written last, and by every run, so that it is itself the target that make can ask for: a generated source
 * whose text stays the same is not touched, and would seem too old for ever.
 */
final class DependencyFile {

    @Option(
            names = "--depfile",
            paramLabel = "FILE",
            description = "writes a make rule whose prerequisites are the files that were read, for inclusion in a makefile")
    private @Nullable Path file;

    @Option(
            names = "--depfile-target",
            paramLabel = "NAME",
            description = "the target of that rule; default: the --depfile FILE itself, which every run writes")
    private @Nullable String target;

    /** Writes the file if one is wanted. */
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
