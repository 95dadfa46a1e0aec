// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.memory;

/** Which {@link RemoteAccessStrategy} connections get. */
public enum RemoteAccessMode {
    /** {@link #WINDOWS} where the device can, else {@link #PER_CALL}. */
    AUTOMATIC,
    /** {@link PerCallRegistration}. */
    PER_CALL,
    /** {@link MemoryWindows}. */
    WINDOWS,
    /** {@link WholeConnection}; read its warning. */
    CONNECTION
}
