// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.xdr.XdrString;

/** Removes files and trees on the server. */
public final class Removal {
    private static final int DEEPEST = 1000;

    private final NfsMount mount;

    /** @param mount where to remove */
    public Removal(NfsMount mount) {
        this.mount = mount;
    }

    /** Removes an entry; a directory with everything in it. Symbolic links are removed, not followed. */
    public void remove(NfsFh3 directory, XdrString name, RemoteNode node) throws IOException, InterruptedException {
        remove(directory, name, node, 0);
    }

    private void remove(NfsFh3 directory, XdrString name, RemoteNode node, int depth)
            throws IOException, InterruptedException {
        if (!node.isDirectory()) {
            mount.files().remove(directory, name);
            return;
        }
        if (depth > DEEPEST) {
            throw new IOException("Directories are nested more than " + DEEPEST + " deep");
        }
        for (DirectoryReader.Entry entry : mount.directories().list(node.handle())) {
            remove(node.handle(), entry.name(), entry.node(), depth + 1);
        }
        mount.files().removeDirectory(directory, name);
    }
}
