// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.util.Optional;

/** The numbers of users and groups, which Hadoop knows only by name. Safe for use by several threads. */
interface Accounts {
    /** The number for names without one. */
    long NOBODY = 65534;

    /** A user's number; {@link #NOBODY} if there is none. */
    long uid(String user);

    /** A group's number; {@link #NOBODY} if there is none. */
    long gid(String group);

    /** The user with a number. */
    Optional<String> user(long uid);

    /** The group with a number. */
    Optional<String> group(long gid);
}
