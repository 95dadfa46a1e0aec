// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.BindingAnalyzer;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.javamodel.JavaLimits;
import org.emplace.compiler.javamodel.JavaModel;
import org.emplace.compiler.javamodel.NameClashes;
import org.emplace.compiler.javamodel.RepeatedPrefixes;
import org.emplace.compiler.link.Linker.Linked;
import org.emplace.compiler.link.Linker;
import org.emplace.compiler.model.Imports;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.preprocess.Definitions;
import org.emplace.compiler.preprocess.Includes;
import org.emplace.compiler.preprocess.Preprocessor;
import org.emplace.compiler.source.SourceFile;
import org.emplace.compiler.source.Span;
import org.emplace.compiler.syntax.DocumentHint;
import org.emplace.compiler.syntax.Sidecar;
import org.emplace.compiler.syntax.SyntaxFile;
import org.emplace.compiler.syntax.UlbReader;
import org.emplace.compiler.syntax.XdrFileReader;

/** Analyzes the sources of one run: preprocesses, parses, links, binds and models them. */
final class Analyzer {
    private static final String SIDECAR = ".ulb";

    /** The codes of errors for names that are not found. */
    private static final Set<String> OF_NAMES = Set.of("E306", "E313", "E328");

    private final String packageName;
    private final Imports imports;
    private final Definitions definitions;
    private final Includes includes;
    private final Diagnostics diagnostics;

    /** Diagnostics of clauses. They do not stop the passes that do not depend on clauses. */
    private final Diagnostics ofClauses;

    /**
     * Creates an analyzer for one run.
     *
     * @param packageName of the Java classes
     * @param diagnostics receives the diagnostics of the sources
     */
    Analyzer(String packageName, Imports imports, Definitions definitions, Includes includes, Diagnostics diagnostics) {
        this.packageName = packageName;
        this.imports = imports;
        this.definitions = definitions;
        this.includes = includes;
        this.diagnostics = diagnostics;
        this.ofClauses = diagnostics.ofPart();
    }

    /** The meaning of the sources; empty if there are errors, which are reported. */
    Optional<JavaModel> meaning(List<SourceFile> sources) {
        List<SyntaxFile> files = new ArrayList<>();
        List<Sidecar> sidecars = new ArrayList<>();
        for (SourceFile source : sources) {
            if (source.name().endsWith(SIDECAR)) {
                sidecars.add(UlbReader.read(source, ofClauses));
            } else {
                Preprocessor.run(source, definitions, includes, diagnostics)
                        .flatMap(text -> XdrFileReader.read(text, diagnostics, ofClauses))
                        .ifPresent(files::add);
            }
        }
        Imports all = withIncluded(files);
        files.stream()
                .filter(file -> file.definitions().isEmpty())
                .forEach(file -> diagnostics.report(
                        Diagnostic.warning("W112", Span.ofFile(file.file()), "this file defines nothing")
                                .hint(DocumentHint.of(text(file, sources)))));
        Optional<JavaModel> meaning = diagnostics.hasErrors() ? Optional.empty() : meaning(files, all, sidecars);
        diagnostics.add(ofClauses);
        diagnostics.ignoreWarnings(file -> all.packageOf(file).isPresent());
        return meaning.filter(complete -> !diagnostics.hasErrors());
    }

    /** Leaves out clauses with errors, so that all other clauses, and all definitions, are checked in the same run. */
    private Optional<JavaModel> meaning(List<SyntaxFile> files, Imports all, List<Sidecar> sidecars) {
        Optional<Linked> linked = Linker.link(files, all, diagnostics);
        if (linked.isEmpty()) {
            return Optional.empty();
        }
        Diagnostics ofBinding = diagnostics.ofPart();
        Binding binding = BindingAnalyzer.analyze(linked.get(), sidecars, ofBinding);
        Protocol protocol = linked.get().protocol().own();
        if (diagnostics.hasErrors()) {
            // Erroneous definitions were left out, so a name may only seem to be undefined.
            diagnostics.addErrors(ofBinding, error -> !OF_NAMES.contains(error.code()));
            return Optional.empty();
        }
        Optional<JavaModel> meaning =
                ofBinding.hasErrors() ? Optional.empty() : Optional.of(JavaModel.of(protocol, binding, packageName));
        meaning.ifPresent(each -> {
            NameClashes.check(each, ofBinding);
            RepeatedPrefixes.check(each, ofBinding);
            JavaLimits.check(each, ofBinding);
        });
        if (ofClauses.hasErrors()) {
            // Warnings are left out: one may be about a clause that is missing only because it has an error.
            diagnostics.addErrors(ofBinding, error -> true);
        } else {
            diagnostics.add(ofBinding);
        }
        return meaning;
    }

    private static String text(SyntaxFile file, List<SourceFile> sources) {
        return sources.stream()
                .filter(source -> source.name().equals(file.file()))
                .map(SourceFile::text)
                .findFirst()
                .orElse("");
    }

    /** The imports, with the files that they include. */
    private Imports withIncluded(List<SyntaxFile> files) {
        Imports all = imports;
        for (SyntaxFile file : files) {
            Optional<String> theirs = imports.packageOf(file.file());
            if (theirs.isPresent()) {
                all = all.and(
                        file.definitions().stream()
                                .map(definition -> definition.name().span().file())
                                .toList(),
                        theirs.get());
            }
        }
        return all;
    }
}
