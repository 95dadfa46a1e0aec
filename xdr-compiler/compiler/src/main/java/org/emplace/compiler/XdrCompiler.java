// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.emit.Emitter;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.model.Imports;
import org.emplace.compiler.preprocess.Definitions;
import org.emplace.compiler.preprocess.IncludePath;
import org.emplace.compiler.preprocess.Includes;
import org.emplace.compiler.source.Dependencies;
import org.emplace.compiler.source.FileFailure;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.source.Span;

/**
 * Compiles XDR files with their Upper Layer Binding to Java sources. Generates nothing if there is any error. The result does not depend on the order
 * of the files. Stateless and thread-safe.
 */
public final class XdrCompiler {

    private XdrCompiler() {}

    /** Compiles files. Reports all errors, including unreadable files, as diagnostics of the result. */
    public static CompileResult compile(CompileRequest request) {
        Analysis read = analyze(request.sources(), request.options(), request.packageName());
        List<Diagnostic> diagnostics = new ArrayList<>(read.diagnostics());
        request.sources().stream()
                .filter(source -> source.importedPackage().equals(Optional.of(request.packageName())))
                .forEach(source -> diagnostics.add(Diagnostic.error(
                                "E119",
                                Span.ofFile(source.name()),
                                "this file is imported from " + request.packageName()
                                        + ", the package that is being generated")
                        .hint("generate into another package, or compile the file without importing it")));
        SortedMap<String, String> generated = read.meaning()
                .filter(meaning -> diagnostics.stream().noneMatch(Diagnostic::isError))
                .map(Emitter::emit)
                .orElse(Collections.emptySortedMap());
        return new CompileResult(generated, diagnostics, read.files(), read.dependencies());
    }

    /** Analyzes files without generating anything. */
    public static Analysis analyze(List<CompileRequest.Source> requested, SourceOptions options) {
        return analyze(requested, options, "");
    }

    private static Analysis analyze(List<CompileRequest.Source> requested, SourceOptions options, String packageName) {
        Diagnostics diagnostics = new Diagnostics(options.standardOnly());
        IncludePath files = includePath(requested, options);
        List<SourceFile> sources = read(requested, files, diagnostics);
        Analyzer analyzer = new Analyzer(packageName, imports(requested), options.definitions(), files, diagnostics);
        Optional<JavaModel> meaning = analyzer.meaning(sources);
        warnOfSidecars(files, requested, diagnostics);
        return new Analysis(meaning, diagnostics.sorted(), files.files(), files.dependencies());
    }

    /** Analyzes source texts without generating anything. {@code .ulb} files are sidecars, all others XDR. */
    public static Analysis analyze(List<SourceFile> sources) {
        return analyze(sources, Imports.NONE);
    }

    /** Analyzes source texts, of which some are imported. */
    public static Analysis analyze(List<SourceFile> sources, Imports imports) {
        Diagnostics diagnostics = new Diagnostics();
        Analyzer analyzer = new Analyzer("", imports, Definitions.DEFAULT, Includes.among(sources), diagnostics);
        Optional<JavaModel> meaning = analyzer.meaning(sources);
        return new Analysis(meaning, diagnostics.sorted(), sources, new Dependencies(Set.of(), Set.of()));
    }

    /** Warns of sidecars of files that are only included. */
    private static void warnOfSidecars(
            IncludePath files, List<CompileRequest.Source> requested, Diagnostics diagnostics) {
        Set<Path> read = files.files().stream()
                .map(file -> files.path(file).toAbsolutePath().normalize())
                .collect(Collectors.toSet());
        for (SourceFile file : files.files()) {
            CompileRequest.Source sidecar = new CompileRequest.Source(files.path(file), file.name()).sidecar();
            if (file.name().endsWith(".x")
                    && !read.contains(sidecar.path().toAbsolutePath().normalize())
                    && Files.isRegularFile(sidecar.path())) {
                diagnostics.report(Diagnostic.warning(
                                "W312",
                                Span.ofFile(sidecar.name()),
                                "this sidecar has no effect: `" + file.name() + "` is only included")
                        .hint("compile " + file.name() + " too, or move the entries to "
                                + requested.get(0).sidecar().name()));
            }
        }
    }

    static Imports imports(List<CompileRequest.Source> requested) {
        Imports imports = Imports.NONE;
        for (CompileRequest.Source source : requested) {
            if (source.importedPackage().isPresent()) {
                imports = imports.and(
                        List.of(source.name(), source.sidecar().name()),
                        source.importedPackage().get());
            }
        }
        return imports;
    }

    /** The include path. Imported files can be included as if they were in one of its directories; their definitions are then known already. */
    static IncludePath includePath(List<CompileRequest.Source> requested, SourceOptions options) {
        List<IncludePath.Directory> directories = new ArrayList<>(options.includePath());
        for (CompileRequest.Source source : requested) {
            if (source.importedPackage().isPresent()) {
                directories.add(new IncludePath.Directory(
                        source.path().resolveSibling(""), Includes.beside(source.name(), "")));
            }
        }
        return new IncludePath(directories);
    }

    private static List<SourceFile> read(
            List<CompileRequest.Source> requested, IncludePath files, Diagnostics diagnostics) {
        List<SourceFile> sources = new ArrayList<>();
        TreeSet<String> names = new TreeSet<>();
        for (CompileRequest.Source source : requested) {
            if (!names.add(source.name())) {
                diagnostics.report(
                        Diagnostic.error("E109", Span.ofFile(source.name()), "this file is given more than once"));
                continue;
            }
            read(source, files, diagnostics).ifPresent(sources::add);
            CompileRequest.Source sidecar = source.sidecar();
            if (files.has(sidecar.path())) {
                read(sidecar, files, diagnostics).ifPresent(sources::add);
            }
        }
        return sources;
    }

    private static Optional<SourceFile> read(CompileRequest.Source source, IncludePath files, Diagnostics diagnostics) {
        try {
            return Optional.of(files.read(source.path(), source.name()));
        } catch (IOException e) {
            diagnostics.report(
                    Diagnostic.error("E108", Span.ofFile(source.name()), "cannot be read: " + FileFailure.reason(e)));
            return Optional.empty();
        }
    }
}
