// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** When changes of names and attributes are on stable storage. */
public enum Durability {
    /** Before the reply, as RFC 1813 section 4.8 requires. */
    SYNCHRONOUS,
    /** Some seconds later, when the operating system writes them: a crash of the machine, but not of the server, may lose them. */
    DEFERRED
}
