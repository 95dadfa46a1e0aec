// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

/** Whose rights count. */
public enum Identity {
    /** Everybody acts as the user that the server runs as, and the operating system checks that user's rights. */
    SERVER,
    /** Callers act as who they say they are: the server, run as root, checks mode bits and gives new files to their makers. */
    CALLER
}
