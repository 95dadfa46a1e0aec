// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.util.Optional;
import java.util.function.Supplier;
import org.emplace.xdr.XdrValue;
import org.jspecify.annotations.Nullable;

/**
 * The future result of one operation of a call. It is known once {@link RpcCall#await} has returned the call's results, or its {@link
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

    /** Makes a new exception for each caller, so that its stack trace shows that caller. */
    private record Failure<T>(Supplier<OperationException> exception) implements Outcome<T> {}

    /**
     * @param name in the protocol's definition
     * @param description names the operation and its call, for messages
     */
    OperationResult(String name, String description) {
        this.name = name;
        this.description = description;
    }

    /**
     * The operation's result; null for {@link Void}.
     *
     * @throws OperationFailedException if the server answered it with the status of a failure
     * @throws OperationNotReachedException if the server did not run it
     * @throws IllegalStateException if the call has no results, or none yet
     */
    public T get() throws OperationException {
        Outcome<T> known = known();
        if (known instanceof Failure<T> failure) {
            throw failure.exception().get();
        }
        return ((Success<T>) known).value().get();
    }

    /**
     * The exception that {@link #get} would throw; empty if the operation succeeded.
     *
     * @throws IllegalStateException if the call has no results, or none yet
     */
    public Optional<OperationException> failure() {
        return known() instanceof Failure<T> failure
                ? Optional.of(failure.exception().get())
                : Optional.empty();
    }

    /** Names the operation and its call. */
    @Override
    public String toString() {
        return description;
    }

    private Outcome<T> known() {
        Outcome<T> known = outcome;
        if (known == null) {
            throw new IllegalStateException(
                    description + " has no result: await the call first, which may also have failed");
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
        outcome = new Failure<>(() -> new OperationNotReachedException(name, description + " was not reached", null));
    }

    void skip(OperationResult<?> last, XdrValue status, XdrValue result) {
        outcome = new Failure<>(() -> new OperationNotReachedException(
                name,
                description + " was not reached: " + last.description + " failed with " + status,
                last.failed(status, result)));
    }

    private OperationException failed(XdrValue status, XdrValue result) {
        return new OperationFailedException(name, description + " failed with " + status, status, result);
    }
}
