// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.util.Objects;
import java.util.Optional;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.model.Program;
import org.emplace.compiler.model.Protocol;
import org.emplace.compiler.model.Target;

/** The known programs, by the numbers in calls. */
record KnownPrograms(Protocol protocol, Binding binding) {

    /** @param isBackward whether the binding says that servers call it on clients */
    record Known(Protocol protocol, Program.Procedure procedure, ChunkPlan plan, boolean isBackward) {}

    Optional<Known> procedure(RpcMessage.Call call) {
        return program(call)
                .flatMap(program -> program.versions().stream()
                        .filter(version -> is(version.number(), call.version()))
                        .findFirst()
                        .flatMap(version -> version.procedures().stream()
                                .filter(procedure -> is(procedure.number(), call.procedure()))
                                .findFirst()
                                .map(procedure -> known(program, version, procedure))));
    }

    private Optional<Program> program(RpcMessage.Call call) {
        return protocol.programs().stream()
                .filter(program -> is(program.number(), call.program()))
                .findFirst();
    }

    private Known known(Program program, Program.Version version, Program.Procedure procedure) {
        Binding.VersionBinding bound =
                Objects.requireNonNull(binding.versions().get(new Target.Version(program.name(), version.name())));
        return new Known(protocol, procedure, bound.plan(procedure), bound.backward());
    }

    /** The name of a call's procedure, for texts. */
    String name(RpcMessage.Call call) {
        return procedure(call).map(known -> known.procedure().name()).orElseGet(() -> numbers(call));
    }

    private String numbers(RpcMessage.Call call) {
        String program = program(call).map(Program::name).orElse("program " + Integer.toUnsignedString(call.program()));
        String procedure = call.procedure() == 0 ? "NULL" : "procedure " + Integer.toUnsignedString(call.procedure());
        return procedure + " of " + program + " version " + Integer.toUnsignedString(call.version());
    }

    private static boolean is(long number, int sent) {
        return number == Integer.toUnsignedLong(sent);
    }
}
