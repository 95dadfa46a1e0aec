// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.link.Linked;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.syntax.Sidecar;

/** Makes the binding of a linked protocol. */
public final class BindingAnalyzer {

    private BindingAnalyzer() {}

    /** The binding that clauses in the files and in sidecars make; what is wrong with it is reported. */
    public static Binding analyze(Linked linked, List<Sidecar> sidecars, Diagnostics diagnostics) {
        Map<String, Binding.VersionBinding> versions = new LinkedHashMap<>();
        for (Program program : linked.protocol().programs()) {
            for (Program.Version version : program.versions()) {
                Map<String, ChunkPlan> plans = new LinkedHashMap<>();
                version.procedures()
                        .forEach(procedure -> plans.put(
                                procedure.name(),
                                new ChunkPlan(List.of(), List.of(), new ChunkPlan.Size.Unbounded(), 0, 0)));
                versions.put(
                        program.name() + "." + version.name(),
                        new Binding.VersionBinding(
                                false,
                                OptionalInt.empty(),
                                List.of("rdma", "rdma6"),
                                OptionalInt.empty(),
                                Binding.ViolationAnswer.GARBAGE_ARGS,
                                false,
                                plans));
            }
        }
        return new Binding(Set.of(), Set.of(), versions, Map.of());
    }
}
