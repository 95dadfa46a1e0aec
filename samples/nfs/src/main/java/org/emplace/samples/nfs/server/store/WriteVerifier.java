// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.security.SecureRandom;

/**
 * The write verifier, by which clients notice that data which they wrote unstably may be lost and must be sent again. It differs for each start of
 * the server, and changes if data could not be brought to stable storage. Safe for use by several threads.
 */
public final class WriteVerifier {
    private final SecureRandom random = new SecureRandom();
    private volatile long value = random.nextLong();

    /** The current value. Read it before data is written, so that a loss after that changes the value. */
    public long value() {
        return value;
    }

    /** Changes the value, because data that was written unstably may be lost. */
    public void dataLost() {
        value = random.nextLong();
    }
}
