// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.nio.ByteBuffer;
import org.emplace.samples.nfs.server.handle.HandleKey;

/**
 * A cookie is a keyed hash of the name, and directories are listed in the order of their cookies. So a cookie says where a listing goes on
 * without any memory of the listing: entries may come and go between the calls, and the server may restart.
 */
final class DirectoryCookies {
    static final long START = 0;
    static final long SELF = 1;
    static final long PARENT = 2;
    private static final long FIRST = 3;

    private final SipHash hash;
    private final long verifier;

    DirectoryCookies(HandleKey key) {
        byte[] label = {'c', 'o', 'o', 'k', 'i', 'e'};
        ByteBuffer secret = ByteBuffer.wrap(key.authenticate(label, label.length));
        hash = new SipHash(secret.getLong(), secret.getLong());
        verifier = secret.getLong();
    }

    /** The cookie of a name other than "." and "..": positive, as clients hand it on as a file offset. */
    long of(FileName name) {
        return Math.max(hash.hash(name.bytes()) >>> 1, FIRST);
    }

    /** Cookies are good as long as their key. */
    long verifier() {
        return verifier;
    }
}
