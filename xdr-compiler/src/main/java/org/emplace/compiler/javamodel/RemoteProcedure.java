// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.model.Program;

/**
 * A procedure as client, server and program class see it.
 *
 * @param procedure the procedure in the definition
 * @param programClass the class of the program's version, which has the constant
 * @param constant the name of the program class's constant
 * @param method the method of client and server
 * @param asyncMethod the client's method that does not wait
 * @param parameters the arguments, without void
 * @param argumentRecord the record of several arguments; empty for one or none
 * @param result the result; empty for void
 * @param destinations a parameter for each eligible result for which the user gives a destination, in the order of the binding
 * @param plan which of the items may become chunks
 */
public record RemoteProcedure(
        Program.Procedure procedure,
        JavaName programClass,
        String constant,
        String method,
        String asyncMethod,
        List<Component> parameters,
        Optional<JavaName> argumentRecord,
        Optional<JavaType> result,
        List<DestinationParameter> destinations,
        ChunkPlan plan) {

    /**
     * The destination of an eligible result.
     *
     * @param name of the parameter; empty for an item that is decoded from its chunk, for which the user gives no destination
     * @param item as {@code TYPE.member}
     * @param isList whether each element of an array has such an item
     */
    public record DestinationParameter(Optional<String> name, String item, boolean isList) {}
}
