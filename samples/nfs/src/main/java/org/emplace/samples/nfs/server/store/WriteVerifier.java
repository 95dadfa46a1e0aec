// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.security.SecureRandom;

/**
 * The number by which clients notice that data they wrote unstably may be lost and has to be sent again: another one for every start of the
 * server, and after data could not be put on stable storage. Safe for use by several threads.
 */
public final class WriteVerifier {
    private final SecureRandom random = new SecureRandom();
    private volatile long value = random.nextLong();

    /** The number now. To be read before data is written: a loss after that must show. */
    public long value() {
        return value;
    }

    /** Data that was written unstably may be lost. */
    public void dataLost() {
        value = random.nextLong();
    }
}
