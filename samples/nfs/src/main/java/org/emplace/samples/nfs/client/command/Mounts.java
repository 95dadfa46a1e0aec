// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.client.MountOptions;
import org.emplace.samples.nfs.client.NfsMount;
import org.emplace.samples.nfs.client.RemotePath;

/** The exports that a command works on: each is mounted when it is first needed, and once. */
final class Mounts implements AutoCloseable {
    private final MountOptions options;
    private final List<NfsMount> mounted = new ArrayList<>();

    Mounts(MountOptions options) {
        this.options = options;
    }

    /** The mount that holds a place. */
    NfsMount of(RemotePath path) throws IOException, InterruptedException {
        for (NfsMount mount : mounted) {
            if (mount.holds(path)) {
                return mount;
            }
        }
        NfsMount mount = NfsMount.of(path, options);
        mounted.add(mount);
        return mount;
    }

    @Override
    public void close() {
        mounted.forEach(NfsMount::close);
    }
}
