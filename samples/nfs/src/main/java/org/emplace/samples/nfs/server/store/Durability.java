// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** When changes of names and attributes are on stable storage. */
public enum Durability {
    /** Before the reply, as RFC 1813 section 4.8 wants. */
    SYNCHRONOUS,
    /** When the operating system gets to it: a crash of the machine, not one of the server, may lose the last seconds. */
    DEFERRED
}
