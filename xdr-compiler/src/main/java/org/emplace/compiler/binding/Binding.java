// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.binding;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The Upper Layer Binding of everything in a run, checked.
 *
 * @param payloadItems the items, {@code TYPE.member} with the XDR names ({@code READ3resok.data}; a union arm's member likewise), that
 *     some procedure may move as bytes: generated records hold them as payloads
 * @param encodedItems the eligible items of other types than opaque and string, likewise: XDR-encoded inside their chunk
 * @param versions by {@code PROGRAM.VERSION}; every version of every program has one, an empty one if nothing was said
 * @param javaNames overrides by XDR name: of a type, {@code TYPE.member}, {@code PROGRAM.VERSION}, or a procedure
 */
public record Binding(
        Set<String> payloadItems,
        Set<String> encodedItems,
        Map<String, VersionBinding> versions,
        Map<String, String> javaNames) {

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
     */
    public record VersionBinding(
            boolean bound,
            OptionalInt port,
            List<String> netids,
            OptionalInt inlineThreshold,
            ViolationAnswer violation,
            boolean backward,
            Map<String, ChunkPlan> procedures) {}

    /** A responder's answer to a breach of the binding. */
    public enum ViolationAnswer {
        GARBAGE_ARGS,
        ERR_CHUNK
    }
}
