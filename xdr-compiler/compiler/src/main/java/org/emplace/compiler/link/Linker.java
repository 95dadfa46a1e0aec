// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Imports;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.preprocess.LinesForC;
import org.emplace.compiler.syntax.Clause;
import org.emplace.compiler.syntax.Definition;
import org.emplace.compiler.syntax.SyntaxFile;


/**
 * Links the files of a run. The passes:
 *
 * <ol>
 * <li>{@link Repetitions}: leaves out repeated definitions
 * <li>{@link Hoisting}: names anonymous types, so that every type has a definition
 * <li>{@link Values}: computes constants and enumerators
 * <li>{@link TypeLinker}: resolves names of types and bounds, and checks unions
 * <li>{@link ProgramLinker}: links programs, versions and procedures
 * <li>{@link ShapeCheck}: checks recursion and sizes
 * </ol>
 *
 * Every pass reports all errors that it finds. Files are linked in the order of their names, so that the result does not depend on the order in which
 * they are given. Imports come first, so that a definition which is both imported and repeated belongs to the import.
 */
public final class Linker {

    private Linker() {}

    /**
     * Links files. If there are errors, which are reported, the result is the part without them. It is empty if the errors are in constants, or in
     * the recursion or sizes of types.
     */
    public static Optional<Linked> link(List<SyntaxFile> files, Imports imports, Diagnostics diagnostics) {
        List<SyntaxFile> sorted = files.stream().sorted(importsFirst(imports)).toList();
        List<SyntaxFile.Written> written =
                sorted.stream().flatMap(file -> file.written().stream()).toList();
        List<Definition> definitions = Hoisting.flatten(Repetitions.leaveOut(written, imports, diagnostics));
        Values values = Values.of(definitions, diagnostics);
        LinesForC linesForC =
                LinesForC.of(sorted.stream().map(SyntaxFile::linesForC).toList());
        values.fallBackOn(linesForC);
        ClauseCollector clauses = new ClauseCollector(diagnostics);
        values.placeClauses(clauses);
        TypeLinker typeLinker = TypeLinker.of(definitions, values, linesForC, clauses, diagnostics);
        Map<String, TypeDefinition> types = new LinkedHashMap<>(typeLinker.link());
        types.values()
                .removeIf(type -> clauses.isLeftOut(type.name()) && !(type instanceof TypeDefinition.Enumeration));
        List<Program> programs = new ProgramLinker(typeLinker, values, clauses, diagnostics).link(definitions);
        types.putAll(typeLinker.ofRpc());
        Protocol protocol = new Protocol(values.constants(), types, programs, imports);
        Linked linked = diagnostics.hasErrors()
                ? new SoundPart(protocol, clauses.inError()).of(clauses.placed())
                : new Linked(protocol, clauses.placed());
        return values.areSound() && new ShapeCheck(linked.protocol(), diagnostics).passes()
                ? Optional.of(linked)
                : Optional.empty();
    }

    private static Comparator<SyntaxFile> importsFirst(Imports imports) {
        return Comparator.<SyntaxFile, Boolean>comparing(
                        file -> imports.packageOf(file.file()).isEmpty())
                .thenComparing(SyntaxFile::file);
    }

    /** The result of the linker: the checked protocol, and the clauses in its files. */
    public record Linked(Protocol protocol, List<PlacedClause> clauses) {

        /** A clause in an XDR file, with its target. */
        public record PlacedClause(Target target, Clause clause) {}
    }
}
