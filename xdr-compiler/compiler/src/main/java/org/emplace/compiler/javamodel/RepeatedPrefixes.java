// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostic;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.model.Program;

/**
 * W227: the names of a version's procedures have a common prefix that Java repeats. A Java name does not depend on the other procedures, because
 * adding one would change it, so only a clause can remove the prefix.
 */
public final class RepeatedPrefixes {
    private static final int FEWEST = 3;

    private RepeatedPrefixes() {}

    /** Reports every version whose Java names a clause would shorten. */
    public static void check(JavaModel model, Diagnostics diagnostics) {
        model.programs()
                .forEach(program ->
                        repeated(program).ifPresent(prefix -> report(program.version(), prefix, diagnostics)));
    }

    /** The common prefix of the names up to an underscore, if the Java names have it too. */
    private static Optional<String> repeated(RemoteProgram program) {
        List<String> names = program.procedures().stream()
                .map(each -> each.procedure().name())
                .toList();
        String first = names.isEmpty() ? "" : names.get(0);
        String prefix = first.substring(0, first.indexOf('_') + 1);
        boolean isRepeated = !prefix.isEmpty()
                && names.size() >= FEWEST
                && program.procedures().stream()
                        .allMatch(each -> each.procedure().name().startsWith(prefix)
                                && each.constant()
                                        .equals(NameWords.constant(
                                                each.procedure().name())));
        return isRepeated ? Optional.of(prefix) : Optional.empty();
    }

    private static void report(Program.Version version, String prefix, Diagnostics diagnostics) {
        diagnostics.report(Diagnostic.warning(
                        "W227",
                        version.origin(),
                        "the names of all procedures of `" + version.name() + "` begin with `" + prefix
                                + "`, which their Java names repeat")
                .hint("write /*@ddp prefix " + prefix + " */ before the version to omit it"));
    }
}
