// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.time.Duration;

/**
 * How a directory is exported.
 *
 * @param identity whose rights count
 * @param durability when changes of names and attributes are on stable storage
 * @param openFiles files to keep open between calls, at most; positive
 * @param idle how long a file that nobody uses stays open
 */
public record ExportOptions(Identity identity, Durability durability, int openFiles, Duration idle) {

    /** Everybody acts as the server's user, changes are committed before the reply, 512 files, 30 seconds. */
    public static final ExportOptions DEFAULT =
            new ExportOptions(Identity.SERVER, Durability.SYNCHRONOUS, 512, Duration.ofSeconds(30));

    /** Checks the values. */
    public ExportOptions {
        if (openFiles <= 0 || idle.isNegative()) {
            throw new IllegalArgumentException(
                    "export options out of range: " + openFiles + " open files, idle " + idle);
        }
    }

    /** These options with another identity. */
    public ExportOptions withIdentity(Identity identity) {
        return new ExportOptions(identity, durability, openFiles, idle);
    }

    /** These options with another durability. */
    public ExportOptions withDurability(Durability durability) {
        return new ExportOptions(identity, durability, openFiles, idle);
    }

    /** These options with another number of open files. */
    public ExportOptions withOpenFiles(int openFiles) {
        return new ExportOptions(identity, durability, openFiles, idle);
    }
}
