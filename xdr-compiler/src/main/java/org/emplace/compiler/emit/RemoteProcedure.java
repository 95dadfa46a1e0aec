// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.model.Program;

/**
 * A procedure as client, server and program class see it.
 *
 * @param constant the program class's constant
 * @param method the client's and the server's method
 * @param asyncMethod the client's method that does not wait
 * @param parameters the arguments, void ones left out
 * @param argumentRecord the record that holds several arguments; empty for one or none
 * @param result what it returns; empty for void
 * @param destinations a parameter for each eligible result that the user places, in the order of the binding
 */
record RemoteProcedure(
        Program.Procedure procedure,
        ClassName programClass,
        String constant,
        String method,
        String asyncMethod,
        List<Component> parameters,
        Optional<ClassName> argumentRecord,
        Optional<Mapping> result,
        List<DestinationParameter> destinations,
        ChunkPlan plan) {

    /**
     * Where an eligible result goes.
     *
     * @param name of the parameter; empty for an item that the user has no say about, because it is decoded out of its chunk
     * @param item as {@code TYPE.member}
     * @param isList whether there is one such item per element of an array
     */
    record DestinationParameter(Optional<String> name, String item, boolean isList) {}

    /** The type that all arguments together have. */
    TypeName argumentType() {
        if (argumentRecord.isPresent()) {
            return argumentRecord.get();
        }
        return parameters.isEmpty()
                ? ClassName.get(Void.class)
                : parameters.get(0).mapping().type().box();
    }

    /** The type of the results, Void for none. */
    TypeName resultType() {
        return result.map(each -> each.type().box()).orElse(ClassName.get(Void.class));
    }

    /** The type that a synchronous method returns. */
    TypeName returnType() {
        return result.map(Mapping::type).orElse(TypeName.VOID);
    }

    /** Whether it is the procedure that by convention does nothing (RFC 5531 section 12.1). */
    boolean isNull() {
        return procedure.number() == 0 && parameters.isEmpty() && result.isEmpty();
    }
}
