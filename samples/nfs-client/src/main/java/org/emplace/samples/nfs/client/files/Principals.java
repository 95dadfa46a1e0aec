// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;

/** Users and groups. NFS version 3 identifies them by numbers, so their names are numbers. */
final class Principals extends UserPrincipalLookupService {
    private static final long LARGEST = 0xffff_ffffL;

    record User(long uid) implements UserPrincipal {
        @Override
        public String getName() {
            return Long.toString(uid);
        }

        @Override
        public String toString() {
            return getName();
        }
    }

    record Group(long gid) implements GroupPrincipal {
        @Override
        public String getName() {
            return Long.toString(gid);
        }

        @Override
        public String toString() {
            return getName();
        }
    }

    @Override
    public UserPrincipal lookupPrincipalByName(String name) throws UserPrincipalNotFoundException {
        return new User(number(name));
    }

    @Override
    public GroupPrincipal lookupPrincipalByGroupName(String group) throws UserPrincipalNotFoundException {
        return new Group(number(group));
    }

    private static long number(String name) throws UserPrincipalNotFoundException {
        try {
            long number = Long.parseLong(name);
            if (number >= 0 && number <= LARGEST) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number out of range.
        }
        throw new UserPrincipalNotFoundException(name);
    }
}
