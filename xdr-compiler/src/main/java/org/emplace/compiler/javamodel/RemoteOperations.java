// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Optional;
import org.emplace.compiler.javamodel.RemoteProcedure.DestinationParameter;

/**
 * A procedure whose calls are lists of operations, as client and server see it.
 *
 * @param call the class of a call that is built operation by operation
 * @param server the interface of a server that has a method for each operation
 * @param plainServer the interface of a server that has a method for the call
 * @param context the server's type variable, for what the operations of one call share
 * @param arguments the components of what the call takes
 * @param array the one of them that is the array of operations
 * @param holder the class of all of them together
 * @param argument the union that the array's elements are
 * @param resultArray the component of the results that is the array
 * @param result the union that its elements are
 * @param status the enum that says whether an operation succeeded
 * @param success its constant for that
 * @param statuses where the elements of the results say so; one that is not among them never fails
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
        List<Operation> operations,
        List<ArmStatus> statuses) {

    /** What the call takes beside the operations. */
    public List<Component> others() {
        return arguments.stream().filter(each -> !each.equals(array)).toList();
    }

    /**
     * The arm of operations that have no definition but may have arguments: the void default arm. Empty if there is none, or if something stands
     * behind the operations, so that what cannot be read cannot be skipped either.
     */
    public Optional<UnionArm> undefined() {
        boolean isLast = array.equals(arguments.get(arguments.size() - 1)) && array.type() instanceof JavaType.Array;
        return argument.arms().stream()
                .filter(arm -> isLast && arm.isDefault() && arm.value().isEmpty())
                .findFirst();
    }

    /**
     * One operation.
     *
     * @param label its name in the protocol's definition
     * @param discriminant its value in the arguments and in the results
     * @param method of client and server
     * @param argument the arm of the argument's union
     * @param content what that arm holds, as the server's parameter is named; empty for void
     * @param parameters of the client's method: the content, or its members
     * @param isFlattened whether they are its members
     * @param answer the arm of the result's union
     * @param value what the client gets of that
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
     * What the client gets of a successful result.
     *
     * @param component the value; empty where success is all that there is to know
     * @param within the arm of the result that has it, if it is not the result itself
     */
    public record Value(Optional<Component> component, Optional<UnionArm> within) {}

    /**
     * The status of one kind of result.
     *
     * @param arm the arm of the result's union
     * @param accessors the methods that lead from it to the status
     */
    public record ArmStatus(UnionArm arm, List<String> accessors) {}
}
