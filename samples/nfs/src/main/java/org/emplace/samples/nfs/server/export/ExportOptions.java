// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.store.Caller;

/**
 * The options of exports(5) for some clients of an export: their rights, and the user as which they act.
 *
 * @param readOnly whether clients may change nothing
 * @param squashRoot whether user 0 and group 0 are replaced by the anonymous ones
 * @param squashAll whether all users and groups are replaced by the anonymous ones
 * @param anonymousUid unsigned 32 bits
 * @param anonymousGid unsigned 32 bits
 * @param privilegedPorts whether clients have to use source ports below 1024
 * @param deferred whether the server may answer changes before they are on stable storage
 * @param flavors by which clients may call, the preferred one first; at least one
 */
public record ExportOptions(
        boolean readOnly,
        boolean squashRoot,
        boolean squashAll,
        long anonymousUid,
        long anonymousGid,
        boolean privilegedPorts,
        boolean deferred,
        List<SecurityFlavor> flavors) {

    private static final long NOBODY = 65534;

    /** The kernel's "no user": setting it leaves a process's identity unchanged. */
    private static final long NO_ID = 0xffffffffL;

    private static final int FIRST_UNPRIVILEGED_PORT = 1024;

    /** {@code ro,root_squash,anonuid=65534,anongid=65534,insecure,sync,sec=sys}. */
    public static final ExportOptions DEFAULT =
            new ExportOptions(true, true, false, NOBODY, NOBODY, false, false, List.of(SecurityFlavor.SYS));

    /** Copies the flavors. */
    public ExportOptions {
        flavors = List.copyOf(flavors);
        if (flavors.isEmpty()) {
            throw new IllegalArgumentException("an export without flavors");
        }
    }

    /** These options with another choice of read-only. */
    public ExportOptions withReadOnly(boolean wanted) {
        return new ExportOptions(
                wanted, squashRoot, squashAll, anonymousUid, anonymousGid, privilegedPorts, deferred, flavors);
    }

    /** These options with another choice for user 0 and group 0. */
    public ExportOptions withSquashRoot(boolean wanted) {
        return new ExportOptions(
                readOnly, wanted, squashAll, anonymousUid, anonymousGid, privilegedPorts, deferred, flavors);
    }

    /** These options with another choice for everybody. */
    public ExportOptions withSquashAll(boolean wanted) {
        return new ExportOptions(
                readOnly, squashRoot, wanted, anonymousUid, anonymousGid, privilegedPorts, deferred, flavors);
    }

    /** These options with another anonymous user and group. */
    public ExportOptions withAnonymous(long uid, long gid) {
        return new ExportOptions(readOnly, squashRoot, squashAll, uid, gid, privilegedPorts, deferred, flavors);
    }

    /** These options with another choice of ports. */
    public ExportOptions withPrivilegedPorts(boolean wanted) {
        return new ExportOptions(
                readOnly, squashRoot, squashAll, anonymousUid, anonymousGid, wanted, deferred, flavors);
    }

    /** These options with another choice of durability. */
    public ExportOptions withDeferred(boolean wanted) {
        return new ExportOptions(
                readOnly, squashRoot, squashAll, anonymousUid, anonymousGid, privilegedPorts, wanted, flavors);
    }

    /** These options with another choice of flavors. */
    public ExportOptions withFlavors(List<SecurityFlavor> wanted) {
        return new ExportOptions(
                readOnly, squashRoot, squashAll, anonymousUid, anonymousGid, privilegedPorts, deferred, wanted);
    }

    boolean allowPort(int port) {
        return !privilegedPorts || port < FIRST_UNPRIVILEGED_PORT;
    }

    /** The identity that acts for a caller. The claim is empty if the credential names no user. */
    Caller actingFor(Optional<Caller> claimed) {
        if (squashAll || claimed.isEmpty()) {
            return new Caller(anonymousUid, anonymousGid, Set.of());
        }
        Caller caller = claimed.get();
        Set<Long> groups = new LinkedHashSet<>();
        caller.gids().forEach(group -> groups.add(replaced(group) ? anonymousGid : group));
        return new Caller(
                replaced(caller.uid()) ? anonymousUid : caller.uid(),
                replaced(caller.gid()) ? anonymousGid : caller.gid(),
                groups);
    }

    private boolean replaced(long id) {
        return id == NO_ID || (id == 0 && squashRoot);
    }
}
