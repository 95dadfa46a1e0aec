// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

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
     * Where an eligible result goes.
     *
     * @param name of the parameter; empty for an item that the user has no say about, because it is decoded out of its chunk
     * @param item as {@code TYPE.member}
     * @param isList whether there is one such item per element of an array
     */
    public record DestinationParameter(Optional<String> name, String item, boolean isList) {}
}
