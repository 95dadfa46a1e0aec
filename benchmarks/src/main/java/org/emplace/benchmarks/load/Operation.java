// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

/** The NFS version 3 procedures that are measured. */
public enum Operation {
    NULL,
    READ,
    WRITE
}
