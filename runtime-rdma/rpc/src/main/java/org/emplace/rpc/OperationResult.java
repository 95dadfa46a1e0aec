// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.Optional;
import java.util.function.Supplier;
import org.emplace.xdr.XdrValue;
import org.jspecify.annotations.Nullable;

/**
 * The result of one operation of a call, available when {@link RpcCall#await} has returned the call's results or {@link
 * RpcCall#completion} has completed with them. Safe for use by several threads.
 *
 * @param <T> the type of the operation's result; {@link Void} if it has only a status
 */
public final class OperationResult<T> {
    private final String name;
    private final String description;
    private volatile @Nullable Outcome<T> outcome;

    private sealed interface Outcome<T> {}

    private record Success<T>(Supplier<T> value) implements Outcome<T> {}

    /** Creates a new exception for each caller, so that the stack trace is the caller's. */
    private record Failure<T>(Supplier<OperationException> exception) implements Outcome<T> {}

    /**
     * @param name the operation's name in the protocol's definition
     * @param description identifies the operation and its call in messages
     */
    OperationResult(String name, String description) {
        this.name = name;
        this.description = description;
    }

    /**
     * Returns the operation's result; null for {@link Void}.
     *
     * @throws OperationException.Failed if the operation failed
     * @throws OperationException.NotReached if the server did not run the operation
     * @throws IllegalStateException if the call has not completed, or has failed
     */
    public T get() throws OperationException {
        Outcome<T> known = known();
        if (known instanceof Failure<T> failure) {
            throw failure.exception().get();
        }
        return ((Success<T>) known).value().get();
    }

    /**
     * Returns the exception that {@link #get} would throw; empty if the operation succeeded.
     *
     * @throws IllegalStateException if the call has not completed, or has failed
     */
    public Optional<OperationException> failure() {
        return known() instanceof Failure<T> failure
                ? Optional.of(failure.exception().get())
                : Optional.empty();
    }

    /** Identifies the operation and its call, for messages. */
    @Override
    public String toString() {
        return description;
    }

    private Outcome<T> known() {
        Outcome<T> known = outcome;
        if (known == null) {
            throw new IllegalStateException(
                    description + " has no result: the call has not completed or has failed; await it first");
        }
        return known;
    }

    void succeed(Supplier<T> value) {
        outcome = new Success<>(value);
    }

    void fail(XdrValue status, XdrValue result) {
        outcome = new Failure<>(() -> failed(status, result));
    }

    void skip() {
        outcome = new Failure<>(() -> new OperationException.NotReached(name, description + " was not reached", null));
    }

    void skip(OperationResult<?> last, XdrValue status, XdrValue result) {
        outcome = new Failure<>(() -> new OperationException.NotReached(
                name,
                description + " was not reached: " + last.description + " failed with " + status,
                last.failed(status, result)));
    }

    private OperationException failed(XdrValue status, XdrValue result) {
        return new OperationException.Failed(name, description + " failed with " + status, status, result);
    }
}
