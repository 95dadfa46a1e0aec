// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;

/** The processors that the store supports, with the numbers of Linux's system calls and flags. */
enum Architecture {
    X86_64(0200000, 0400000, 122, 123, 116, 125, 126, 217, 259, 326),
    AARCH64(040000, 0100000, 151, 152, 159, 90, 91, 61, 33, 285);

    final int directory;
    final int noFollow;
    final int setFsUid;
    final int setFsGid;
    final int setGroups;
    final int getCapabilities;
    final int setCapabilities;
    final int getDirectoryEntries;
    final int makeNode;
    final int copyFileRange;

    Architecture(
            int directory,
            int noFollow,
            int setFsUid,
            int setFsGid,
            int setGroups,
            int getCapabilities,
            int setCapabilities,
            int getDirectoryEntries,
            int makeNode,
            int copyFileRange) {
        this.directory = directory;
        this.noFollow = noFollow;
        this.setFsUid = setFsUid;
        this.setFsGid = setFsGid;
        this.setGroups = setGroups;
        this.getCapabilities = getCapabilities;
        this.setCapabilities = setCapabilities;
        this.getDirectoryEntries = getDirectoryEntries;
        this.makeNode = makeNode;
        this.copyFileRange = copyFileRange;
    }

    /** @throws IOException if the store does not run on this machine */
    static Architecture ofThisMachine() throws IOException {
        String system = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        return switch (system) {
            case "Linux on amd64" -> X86_64;
            case "Linux on aarch64" -> AARCH64;
            default -> throw new IOException("the posix store needs Linux on x86-64 or AArch64, not " + system);
        };
    }
}
