// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;

/**
 * The part of the document about a version of a program.
 *
 * @param threshold the inline threshold in bytes that sizes are compared with
 * @param isRecommended whether the binding recommends it
 */
record Section(
        Program program,
        Program.Version version,
        int threshold,
        boolean isRecommended,
        List<Requirements.Requirement> requirements,
        List<Entry> procedures) {

    /** Every RPC-over-RDMA version 1 peer accepts a message of this size (RFC 8166 section 3.3.2). */
    private static final int SMALLEST_THRESHOLD = 1024;

    /** The part of the document about a procedure. */
    record Entry(Program.Procedure procedure, ChunkPlan plan, Message call, Message reply) {

        List<Message> messages() {
            return List.of(call, reply);
        }
    }

    /** The versions of all programs, in order. */
    static List<Section> of(Protocol protocol, Binding binding) {
        List<Section> sections = new ArrayList<>();
        for (Program program : protocol.programs()) {
            for (Program.Version version : program.versions()) {
                Binding.VersionBinding ofVersion = Objects.requireNonNull(
                        binding.versions().get(new Target.Version(program.name(), version.name())));
                sections.add(of(protocol, program, version, ofVersion));
            }
        }
        return sections;
    }

    private static Section of(
            Protocol protocol, Program program, Program.Version version, Binding.VersionBinding binding) {
        int threshold = binding.inlineThreshold().orElse(SMALLEST_THRESHOLD);
        List<Entry> entries = version.procedures().stream()
                .map(procedure -> entry(
                        protocol,
                        procedure,
                        Objects.requireNonNull(binding.procedures().get(procedure.name())),
                        new Message.Limits(threshold, binding.backward())))
                .toList();
        return new Section(
                program,
                version,
                threshold,
                binding.inlineThreshold().isPresent(),
                new Requirements(version, binding).all(),
                entries);
    }

    private static Entry entry(Protocol protocol, Program.Procedure procedure, ChunkPlan plan, Message.Limits limits) {
        return new Entry(
                procedure,
                plan,
                MessageMaker.call(protocol, procedure, plan, limits),
                MessageMaker.reply(protocol, procedure, plan, limits));
    }

    String title() {
        return program.name() + " version " + version.number();
    }

    /** Describes in a sentence how sizes are computed and compared. */
    String thresholdSentence() {
        return "Sizes are compared with an inline threshold of " + DocumentWording.bytes(threshold)
                + (isRecommended ? ", which the binding recommends." : ", which every version 1 peer accepts.")
                + " They count an RPC-over-RDMA header with a chunk of one segment for each eligible item, and an RPC header with AUTH_NONE.";
    }
}
