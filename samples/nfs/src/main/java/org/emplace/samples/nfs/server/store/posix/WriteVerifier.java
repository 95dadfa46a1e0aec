// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.security.SecureRandom;

/**
 * The number by which clients notice that data they wrote unstably may be lost and has to be sent again: another one for every start of the
 * server, and after data could not be put on stable storage.
 */
final class WriteVerifier {
    private final SecureRandom random = new SecureRandom();
    private volatile long value = random.nextLong();

    long value() {
        return value;
    }

    void dataLost() {
        value = random.nextLong();
    }
}
