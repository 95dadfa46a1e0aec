// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.javamodel.RemoteProcedure.DestinationParameter;

/**
 * A procedure whose calls are lists of operations, as client and server see it.
 *
 * @param call the class of a call that is built operation by operation
 * @param server the interface of a server with a method for each operation
 * @param plainServer the interface of a server with a method for the call
 * @param context the server's type variable for the context that the operations of a call share
 * @param arguments the components of the call's arguments
 * @param array the component that is the array of operations
 * @param holder the class of all arguments together
 * @param argument the union of the array's elements
 * @param resultArray the component of the results that is the array
 * @param result the union of its elements
 * @param status the enum that tells whether an operation succeeded
 * @param success its constant for success
 * @param isWhole whether the results of an operation that succeeds have all eligible items that it can have
 * @param statuses where the elements of the results have their status; an operation without one never fails
 */
public record RemoteOperations(
        RemoteProcedure procedure,
        JavaName call,
        JavaName server,
        JavaName plainServer,
        String context,
        List<Component> arguments,
        Component array,
        JavaName holder,
        JavaClass.Union argument,
        Component resultArray,
        JavaClass.Union result,
        JavaName status,
        String success,
        boolean isWhole,
        List<Operation> operations,
        List<ArmStatus> statuses) {

    /** The arguments of the call besides the operations. */
    public List<Component> others() {
        return arguments.stream().filter(each -> !each.equals(array)).toList();
    }

    /**
     * The void default arm, which stands for undefined operations that may have arguments. Empty if there is none, or if other arguments follow the
     * operations: the decoder cannot skip an undefined operation to read these.
     */
    public Optional<UnionArm> undefined() {
        boolean isLast = array.equals(arguments.get(arguments.size() - 1)) && array.type() instanceof JavaType.Array;
        return argument.arms().stream()
                .filter(arm -> isLast && arm.isDefault() && arm.value().isEmpty())
                .findFirst();
    }

    /**
     * An operation.
     *
     * @param label its name in the protocol
     * @param discriminant its value in the arguments and in the results
     * @param method the method of client and server
     * @param argument the arm of the arguments' union
     * @param content the arm's content, named as the server's parameter; empty for void
     * @param parameters of the client's method: the content, or its members
     * @param isFlattened whether they are its members
     * @param answer the arm of the results' union
     * @param value the client's view of the result
     * @param destinations where eligible results go
     */
    public record Operation(
            String label,
            long discriminant,
            String method,
            UnionArm argument,
            Optional<Component> content,
            List<Component> parameters,
            boolean isFlattened,
            UnionArm answer,
            Value value,
            List<DestinationParameter> destinations) {

        /** The comment on its arm, which is that on what the arm holds. */
        public String documentation() {
            return argument.value().map(each -> each.field().documentation()).orElse(argument.documentation());
        }
    }

    /**
     * The value that the client gets from a successful result.
     *
     * @param component the value; empty if success is the only information
     * @param within the arm of the result that contains it, if it is not in the result itself
     */
    public record Value(Optional<Component> component, Optional<UnionArm> within) {}

    /**
     * The status of a kind of result.
     *
     * @param arm the arm of the results' union
     * @param accessors the methods that lead from it to the status
     */
    public record ArmStatus(UnionArm arm, List<String> accessors) {}
}
