// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Target;

/**
 * The Upper Layer Binding of everything in a run, checked.
 *
 * @param payloadItems the members and arms of bytes and arrays of numbers that clauses make eligible: generated records hold them as payloads
 * @param encodedItems the eligible items of other types, likewise: XDR-encoded inside their chunk
 * @param versions every version of every program has one, an empty one if nothing was said
 * @param operations the procedures whose calls are lists of operations
 * @param javaNames the Java names that clauses give
 * @param prefixes what the Java names of a version's procedures or an enum's values leave out, where a clause says so
 * @param typeClauses the types that clauses give another form in Java
 */
public record Binding(
        Set<Target.Item> payloadItems,
        Set<Target.Item> encodedItems,
        Map<Target.Version, VersionBinding> versions,
        Map<Target.Procedure, OperationMatch> operations,
        Map<Target, String> javaNames,
        Map<Target, String> prefixes,
        TypeClauses typeClauses) {

    /**
     * The binding of one version of a program.
     *
     * @param bound whether the source says anything; if not, nothing is ever reduced
     * @param port rpcbind port for RDMA, if said
     * @param netids rpcbind netids
     * @param inlineThreshold recommended, if said
     * @param violation how a responder answers a breach
     * @param backward whether the program is called in backward direction: no chunks at all
     * @param procedures by procedure name; every procedure has one
     * @param idempotent the names of the procedures whose calls may be done twice
     */
    public record VersionBinding(
            boolean bound,
            OptionalInt port,
            List<String> netids,
            OptionalInt inlineThreshold,
            ViolationAnswer violation,
            boolean backward,
            Map<String, ChunkPlan> procedures,
            Set<String> idempotent) {

        /** The plan of a procedure of this version. */
        public ChunkPlan plan(Program.Procedure procedure) {
            ChunkPlan plan = procedures.get(procedure.name());
            if (plan == null) {
                throw new IllegalArgumentException("no chunk plan for " + procedure.name());
            }
            return plan;
        }
    }

    /** A responder's answer to a breach of the binding. */
    public enum ViolationAnswer {
        GARBAGE_ARGS,
        ERR_CHUNK
    }
}
