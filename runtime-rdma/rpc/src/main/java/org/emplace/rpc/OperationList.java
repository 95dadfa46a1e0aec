// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.xdr.XdrValue;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one call, such as NFSv4's COMPOUND, whose results match its arguments by index. The server runs
 * them in order until one fails. The generated builder of a call uses one list. The list is used by one thread; any
 * thread may use the results.
 *
 * @param <A> an element of the call's arguments
 * @param <S> an element of its results
 */
public final class OperationList<A, S extends XdrValue> {
    private final String procedure;
    private final Function<S, ? extends XdrValue> status;
    private final XdrValue success;
    private final List<A> arguments = new ArrayList<>();
    /** For each item of the procedure's results, the destinations by operation. */
    private final List<List<@Nullable Destination>> destinations = new ArrayList<>();

    private final List<Operation<S, ?, ?>> operations = new ArrayList<>();
    private boolean started;

    /** The destination of an item of an operation's result. */
    public record Place(int item, @Nullable Destination destination) {}

    /** An operation, with the function that takes its result from its element of the results. */
    private record Operation<S, P extends S, T>(OperationResult<T> result, Class<P> answer, Function<P, T> value) {

        boolean isAnsweredBy(S element) {
            return answer.isInstance(element);
        }

        void succeed(S element) {
            P answered = answer.cast(element);
            result.succeed(() -> value.apply(answered));
        }
    }

    /**
     * Creates an empty list.
     *
     * @param procedure the procedure's name in the protocol's definition, for messages
     * @param status returns the status of an element of the results
     * @param success the status with which an operation succeeds
     */
    public OperationList(String procedure, Function<S, ? extends XdrValue> status, XdrValue success) {
        this.procedure = procedure;
        this.status = status;
        this.success = success;
    }

    /**
     * Appends an operation.
     *
     * @param name the operation's name in the protocol's definition
     * @param argument its element of the call's arguments
     * @param answer the class of its element of the results
     * @param value takes the operation's result from a successful element
     * @param places the destinations of its DDP-eligible results; null, or none, where the runtime allocates memory
     * @return its result, which is available when the call has completed
     * @throws IllegalStateException if the call has been started
     */
    public <P extends S, T> OperationResult<T> add(
            String name, A argument, Class<P> answer, Function<P, T> value, Place... places) {
        requireNotStarted();
        for (Place place : places) {
            place(arguments.size(), place);
        }
        arguments.add(argument);
        OperationResult<T> result =
                new OperationResult<>(name, name + " (operation " + arguments.size() + " of " + procedure + ")");
        operations.add(new Operation<>(result, answer, value));
        return result;
    }

    /** The elements of the call's arguments. */
    public List<A> arguments() {
        return List.copyOf(arguments);
    }

    /** The destinations of the DDP-eligible results of all operations. */
    public Destinations destinations() {
        destinations.stream().filter(each -> !each.isEmpty()).forEach(each -> fill(each, arguments.size()));
        return Destinations.ofElements(destinations);
    }

    private void place(int operation, Place place) {
        while (destinations.size() <= place.item()) {
            destinations.add(new ArrayList<>());
        }
        List<@Nullable Destination> ofItem = destinations.get(place.item());
        fill(ofItem, operation);
        ofItem.add(place.destination());
    }

    /** Lets the operations without a destination for an item count. */
    private static void fill(List<@Nullable Destination> ofItem, int operations) {
        while (ofItem.size() < operations) {
            ofItem.add(null);
        }
    }

    /**
     * Starts the call.
     *
     * @param call calls the procedure with {@link #arguments} and {@link #destinations}
     * @param elements returns the array of elements in the call's results
     * @return the call, which fails with {@link Kind#BAD_REPLY} if the results do not match the operations
     * @throws IllegalStateException if the call has been started
     */
    public <R> RpcCall<R> start(Function<OperationList<A, S>, RpcCall<R>> call, Function<R, List<S>> elements) {
        requireNotStarted();
        RpcCall<R> inner = call.apply(this);
        started = true;
        return new RpcCall<>() {
            @Override
            public CompletionStage<R> completion() {
                return inner.completion().thenApply(results -> {
                    try {
                        settle(elements.apply(results));
                    } catch (RpcException mismatched) {
                        throw new CompletionException(mismatched);
                    }
                    return results;
                });
            }

            @Override
            public R await() throws RpcException, InterruptedException {
                R results = inner.await();
                settle(elements.apply(results));
                return results;
            }

            @Override
            public void cancel() {
                inner.cancel();
            }

            @Override
            public String toString() {
                return inner.toString();
            }
        };
    }

    private void requireNotStarted() {
        if (started) {
            throw new IllegalStateException(procedure + " has already been called: build another call");
        }
    }

    /** Sets the outcome of each operation. Idempotent. */
    private void settle(List<S> elements) throws RpcException {
        requireMatch(elements);
        for (int i = 0; i < elements.size(); i++) {
            S element = elements.get(i);
            Operation<S, ?, ?> operation = operations.get(i);
            XdrValue found = status.apply(element);
            if (found.equals(success)) {
                operation.succeed(element);
            } else {
                operation.result().fail(found, element);
                rest(i + 1).forEach(each -> each.result().skip(operation.result(), found, element));
                return;
            }
        }
        rest(elements.size()).forEach(each -> each.result().skip());
    }

    private List<Operation<S, ?, ?>> rest(int from) {
        return operations.subList(from, operations.size());
    }

    private void requireMatch(List<S> elements) throws RpcException {
        if (elements.size() > operations.size()) {
            throw bad(elements.size() + " results for " + operations.size() + " operations");
        }
        for (int i = 0; i < elements.size(); i++) {
            S element = elements.get(i);
            Operation<S, ?, ?> operation = operations.get(i);
            XdrValue found = status.apply(element);
            if (!found.equals(success)) {
                if (i + 1 < elements.size()) {
                    throw bad(operation.result() + " failed with " + found + ", but the server ran further operations");
                }
            } else if (!operation.isAnsweredBy(element)) {
                throw bad(operation.result() + " has a result of type "
                        + element.getClass().getSimpleName());
            }
        }
    }

    private RpcException bad(String why) {
        return new RpcException(Kind.BAD_REPLY, procedure + ": bad reply: " + why);
    }
}
