// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

import java.util.LinkedHashSet;
import java.util.Set;

/** A file that is open, delegated or being changed, with all its opens and delegations. */
final class FileState {
    final FileKey key;
    final Set<OpenState> opens = new LinkedHashSet<>();

    final Set<DelegationState> delegations = new LinkedHashSet<>();

    /** How many lock owners its opens have. */
    int lockOwners;

    /** How many changes are in progress that would conflict with a delegation. */
    int changes;

    FileState(FileKey key) {
        this.key = key;
    }

    boolean isUnused() {
        return opens.isEmpty() && delegations.isEmpty() && changes == 0;
    }
}
