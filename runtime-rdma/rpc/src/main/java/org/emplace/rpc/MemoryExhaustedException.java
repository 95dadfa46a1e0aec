// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The memory for calls, or a peer's share of it, is used up. Peers can cause this, so a server logs it without a stack
 * trace. If a handler throws it, the server answers nothing and closes the connection, so that the client sends the call
 * again; a handler can catch it and answer with a result that asks the client to come back later.
 */
public final class MemoryExhaustedException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    /** @param cause says which memory is used up, and what to do */
    public MemoryExhaustedException(IOException cause) {
        super(cause);
    }
}
