// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Target;

/**
 * The checked Upper Layer Binding of all files in a run.
 *
 * @param payloadItems the eligible members and arms of bytes and arrays of numbers; generated records hold them as payloads
 * @param encodedItems the eligible items of other types, whose chunks hold their encoding
 * @param versions the binding of every version of every program; it is empty if there are no clauses
 * @param operations the procedures whose calls are lists of operations
 * @param javaNames the Java names that clauses set
 * @param prefixes the prefixes that the Java names of a version's procedures or an enum's values omit
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

    /** Whether a clause makes an item eligible, if only in one place. */
    public boolean isEligible(Target.Item item) {
        return payloadItems.contains(item) || encodedItems.contains(item);
    }

    /**
     * The binding of a version of a program.
     *
     * @param bound whether there are any clauses; if not, no message is ever reduced
     * @param port the rpcbind port for RDMA, if there is a clause
     * @param netids the rpcbind netids
     * @param inlineThreshold the recommended threshold, if there is a clause
     * @param maxMessage the length of the largest message to accept, if there is a clause
     * @param violation a responder's answer to a violation
     * @param backward whether the program is called in the backward direction, where there are no chunks
     * @param procedures by name; every procedure has a plan
     * @param idempotent the names of the idempotent procedures
     */
    public record VersionBinding(
            boolean bound,
            OptionalInt port,
            List<String> netids,
            OptionalInt inlineThreshold,
            OptionalInt maxMessage,
            ViolationAnswer violation,
            boolean backward,
            Map<String, ChunkPlan> procedures,
            Set<String> idempotent) {

        /** The chunk plan of a procedure of this version. */
        public ChunkPlan plan(Program.Procedure procedure) {
            ChunkPlan plan = procedures.get(procedure.name());
            if (plan == null) {
                throw new IllegalArgumentException("no chunk plan for " + procedure.name());
            }
            return plan;
        }
    }

    /** A responder's answer to a violation of the binding. */
    public enum ViolationAnswer {
        GARBAGE_ARGS,
        ERR_CHUNK
    }
}
