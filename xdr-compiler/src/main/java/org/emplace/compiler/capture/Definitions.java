// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.Optional;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;

/** The known programs, by the numbers in calls. */
record Definitions(Protocol protocol, Binding binding) {

    /**
     * A procedure with its binding.
     *
     * @param isBackward whether the binding says that servers call it at clients
     */
    record Known(Program.Procedure procedure, ChunkPlan plan, boolean isBackward) {}

    Optional<Known> procedure(RpcMessage.Call call) {
        for (Program program : protocol.programs()) {
            for (Program.Version version : program.versions()) {
                if (is(program.number(), call.program()) && is(version.number(), call.version())) {
                    return version.procedures().stream()
                            .filter(each -> is(each.number(), call.procedure()))
                            .findFirst()
                            .map(each -> known(program, version, each));
                }
            }
        }
        return Optional.empty();
    }

    /** The name of a call's procedure, for messages. */
    String name(RpcMessage.Call call) {
        Optional<Known> known = procedure(call);
        if (known.isPresent()) {
            return known.get().procedure().name();
        }
        String program = protocol.programs().stream()
                .filter(each -> is(each.number(), call.program()))
                .map(Program::name)
                .findFirst()
                .orElse("program " + Integer.toUnsignedString(call.program()));
        String procedure = call.procedure() == 0 ? "NULL" : "procedure " + Integer.toUnsignedString(call.procedure());
        return procedure + " of " + program + " version " + Integer.toUnsignedString(call.version());
    }

    /** Reports chunks of a message in backward direction. */
    static void checkBackward(Entry entry, boolean isBackward, TransportHeader header) {
        boolean hasChunks = !header.reads().isEmpty()
                || !header.writes().isEmpty()
                || header.reply().isPresent();
        if (isBackward && hasChunks) {
            entry.violation(Rule.NO_CHUNKS_BACKWARD, "a message in backward direction has chunks");
        }
    }

    private Known known(Program program, Program.Version version, Program.Procedure procedure) {
        Binding.VersionBinding bound = binding.versions().get(new Target.Version(program.name(), version.name()));
        if (bound == null) {
            throw new IllegalStateException("no binding of " + version.name());
        }
        return new Known(procedure, bound.plan(procedure), bound.backward());
    }

    private static boolean is(long number, int sent) {
        return number == Integer.toUnsignedLong(sent);
    }
}
