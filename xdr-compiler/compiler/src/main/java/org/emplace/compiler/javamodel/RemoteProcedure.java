// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.binding.ChunkPlan;
import org.emplace.compiler.binding.ChunkPlan.EligibleItem;
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
 * @param destinations for each eligible result that a caller names a destination for, in stream order
 * @param destinationsRecord the record of these destinations; empty if they are parameters, because at most one of them is a list
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
        Optional<JavaName> destinationsRecord,
        ChunkPlan plan) {

    /** The method that returns the size of an eligible result, if that depends on the elements of an array. */
    public String sizeMethod(EligibleItem item) {
        return method + NameWords.withCapital(NameWords.camel(item.item().member())) + "Size";
    }

    /**
     * The destination of an eligible result.
     *
     * @param name of the parameter, or of the record's component
     * @param number of the item among those with destinations, from 0
     * @param item as {@code TYPE.member}, or by the way to it
     * @param isList whether each element of an array has such an item
     */
    public record DestinationParameter(String name, int number, String item, boolean isList) {

        /** The record's method that sets it. */
        public String wither() {
            return "with" + NameWords.withCapital(name);
        }
    }
}
