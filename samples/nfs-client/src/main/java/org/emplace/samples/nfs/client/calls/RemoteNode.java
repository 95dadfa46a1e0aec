// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.calls;

import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.NfsFh3;

/** A file on the server: its handle and its last known attributes. */
public record RemoteNode(NfsFh3 handle, Fattr3 attributes) {

    /** Whether it is a directory. */
    public boolean isDirectory() {
        return attributes.type() == Ftype3.NF3DIR;
    }

    /** Whether it is a regular file. */
    public boolean isRegularFile() {
        return attributes.type() == Ftype3.NF3REG;
    }

    /** Whether it is a symbolic link. */
    public boolean isSymbolicLink() {
        return attributes.type() == Ftype3.NF3LNK;
    }
}
