// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.util.Arrays;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** Names in the form of system calls: one component of a path, with a NUL at its end. The kernel checks the length. */
final class NameBytes {
    static final byte[] SELF = {'.', 0};

    private NameBytes() {}

    /** A name that is known to be valid, because it was read from a directory or comes from {@link #require}. */
    static byte[] terminated(FileName name) {
        return terminated(name.bytes());
    }

    private static byte[] terminated(byte[] bytes) {
        return Arrays.copyOf(bytes, bytes.length + 1);
    }

    /**
     * Any name, "." and ".." included.
     *
     * @throws StoreException of ACCES if it cannot be a name (RFC 1813 section 3.2)
     */
    static byte[] require(FileName name) throws StoreException {
        return terminated(name.required());
    }

    /**
     * A name other than "." and "..".
     *
     * @param self the failure for "."
     * @param parent the failure for ".."
     */
    static byte[] require(FileName name, Failure self, Failure parent) throws StoreException {
        byte[] bytes = require(name);
        if (isSelf(bytes) || isParent(bytes)) {
            throw new StoreException(
                    isSelf(bytes) ? self : parent, "'" + name + "' cannot be created, renamed or removed");
        }
        return bytes;
    }

    static boolean isSelf(byte[] terminated) {
        return Arrays.equals(terminated, SELF);
    }

    static boolean isParent(byte[] terminated) {
        return terminated.length == 3 && terminated[0] == '.' && terminated[1] == '.';
    }

    /**
     * The target of a new symbolic link.
     *
     * @throws StoreException of INVAL if no link can have this target
     */
    static byte[] requireTarget(byte[] target) throws StoreException {
        if (target.length == 0) {
            throw new StoreException(Failure.INVAL, "an empty symbolic link");
        }
        for (byte b : target) {
            if (b == 0) {
                throw new StoreException(Failure.INVAL, "a symbolic link with a NUL");
            }
        }
        return terminated(target);
    }
}
