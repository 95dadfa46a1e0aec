// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;

/** The peer's record marking cannot be accepted; the connection has lost its place in the stream and must end. */
final class RecordViolation extends IOException {
    private static final long serialVersionUID = 1L;

    RecordViolation(String what) {
        super(what);
    }
}
