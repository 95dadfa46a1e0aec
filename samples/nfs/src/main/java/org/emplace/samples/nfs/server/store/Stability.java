// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** What has to be on stable storage before a WRITE is answered (stable_how, RFC 1813 section 3.3.7). */
public enum Stability {
    UNSTABLE,
    DATA_SYNC,
    FILE_SYNC
}
