// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import org.jspecify.annotations.Nullable;

/** RDMAP message types (RFC 5040 section 4.1). */
public enum Opcode {
    WRITE(0, -1),
    READ_REQUEST(1, 1),
    READ_RESPONSE(2, -1),
    SEND(3, 0),
    SEND_INVALIDATE(4, 0),
    SEND_SOLICITED(5, 0),
    SEND_SOLICITED_INVALIDATE(6, 0),
    TERMINATE(7, 2);

    private static final Opcode[] ALL = values();

    private final int code;
    private final int queue;

    Opcode(int code, int queue) {
        this.code = code;
        this.queue = queue;
    }

    /** The opcode on the wire. */
    int code() {
        return code;
    }

    /** The DDP queue of messages of this type; -1 if they are tagged. */
    public int queue() {
        return queue;
    }

    boolean isTagged() {
        return queue < 0;
    }

    /** Whether messages of this type carry an STag to invalidate. */
    public boolean invalidates() {
        return this == SEND_INVALIDATE || this == SEND_SOLICITED_INVALIDATE;
    }

    /** The type with this opcode; null if it is not supported. */
    static @Nullable Opcode of(int code) {
        for (Opcode opcode : ALL) {
            if (opcode.code == code) {
                return opcode;
            }
        }
        return null;
    }
}
