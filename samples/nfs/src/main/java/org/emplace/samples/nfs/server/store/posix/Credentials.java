// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.util.Arrays;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.posix.SystemCalls.SystemCall;

/**
 * Makes system calls with the identity of a caller, so that the kernel checks rights and sets the owners of new files. Changes only the calling
 * thread, and only during the call. Needs CAP_SETUID and CAP_SETGID; without them, calls are made as the server's user, without its
 * rights to create programs that run as that user and to open devices.
 */
final class Credentials {
    private static final int EFFECTIVE_LOW = 0;
    private static final int EFFECTIVE_HIGH = 3;
    private static final int SET_SIZE = 6;
    private static final int MAY_BECOME_OTHERS = 1 << 6 | 1 << 7;

    /**
     * CAP_CHOWN, DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER, FSETID, LINUX_IMMUTABLE, MKNOD, and SYS_RESOURCE, which gives the space that is reserved for root and
     * lifts quotas.
     */
    private static final int SUPERUSERS_LOW = 0b11111 | 1 << 9 | 1 << 24 | 1 << 27;

    /** CAP_MAC_OVERRIDE. */
    private static final int SUPERUSERS_HIGH = 1;

    /** CAP_FSETID, with which set-id bits stay on a program that is written to, and MKNOD. */
    private static final int SERVERS_OWN_LOW = 1 << 4 | 1 << 27;

    private static final int SET_USER_ID = 04000;
    private static final int SET_GROUP_ID = 02000;

    private static final int NO_ID = -1;
    private static final int ATTEMPTS = 3;

    private final boolean acts;
    /** Whether the thread has, or may have, another identity than the server's. Set before it takes one, because that may throw. */
    private final ThreadLocal<Boolean> away = ThreadLocal.withInitial(() -> false);

    private final int uid;
    private final int gid;
    private final int[] groups;
    private final int[] capabilities;
    private final int[] callersCapabilities;

    private Credentials(boolean acts, int[] groups, int[] capabilities) {
        this.acts = acts;
        this.uid = SystemCalls.user();
        this.gid = SystemCalls.group();
        this.groups = groups;
        this.capabilities = capabilities;
        this.callersCapabilities = capabilities.clone();
        callersCapabilities[EFFECTIVE_LOW] &= acts ? ~SUPERUSERS_LOW : ~SERVERS_OWN_LOW;
        callersCapabilities[EFFECTIVE_HIGH] &= acts ? ~SUPERUSERS_HIGH : ~0;
    }

    /** The server's own credentials and, if requested and possible, those of callers. */
    static Credentials of(boolean callersAct) throws IOException {
        int[] capabilities = new int[SET_SIZE];
        Errno.check(SystemCalls.capabilities(capabilities), "reading capabilities");
        int[] groups = new int[(int) Errno.check(SystemCalls.groups(new int[0]), "counting groups")];
        Errno.check(SystemCalls.groups(groups), "reading groups");
        boolean may = (capabilities[EFFECTIVE_LOW] & MAY_BECOME_OTHERS) == MAY_BECOME_OTHERS;
        Credentials callers = new Credentials(true, groups, capabilities);
        // A container may have the capabilities, but no mapping for other users, or may forbid setgroups.
        boolean can = callersAct && may && callers.call(Caller.NOBODY, () -> 0) == 0;
        return can ? callers : new Credentials(false, groups, capabilities);
    }

    /** Whether calls are made as their callers. */
    boolean act() {
        return acts;
    }

    /**
     * The mode bits that a client may set. If callers do not act as themselves, files belong to the server's user, and a set-ID program would run as
     * that user. Then set-ID bits are not allowed, except set-group-ID on directories, which makes new files inherit the group.
     */
    int allowed(int mode, boolean directory) {
        if (acts) {
            return mode;
        }
        return mode & ~(directory ? SET_USER_ID : SET_USER_ID | SET_GROUP_ID);
    }

    /** The thread could not resume the server's identity. It must not serve anybody else. */
    static final class IdentityLost extends Error {
        private static final long serialVersionUID = 1L;

        IdentityLost() {
            super("a thread could not resume the server's identity after acting for a client");
        }
    }

    /**
     * Makes a call as a caller. Returns EACCES if the kernel knows no such user or group here.
     *
     * @throws IdentityLost now and for each call after it, until the thread can resume the server's identity
     */
    long call(Caller caller, SystemCall call) {
        requireIdentity();
        int callersUid = (int) caller.uid();
        int callersGid = (int) caller.gid();
        int[] callersGroups = new int[caller.gids().size()];
        int i = 0;
        for (long group : caller.gids()) {
            callersGroups[i++] = (int) group;
        }
        boolean asItIs = acts
                ? callersUid == uid && uid == 0 && callersGid == gid && Arrays.equals(callersGroups, groups)
                : Arrays.equals(callersCapabilities, capabilities);
        if (asItIs) {
            return call.make();
        }
        away.set(true);
        try {
            return assume(callersUid, callersGid, callersGroups) ? call.make() : Errno.EACCES.result();
        } finally {
            resume();
        }
    }

    /** Requires that the thread has, or can resume, the server's identity. Call this before acting as the server's user. */
    void requireIdentity() {
        if (away.get()) {
            resume();
        }
    }

    /**
     * Takes on a caller's identity. The kernel removes most of these capabilities from a thread that stops being user 0, but not from a server that
     * never was user 0.
     */
    private boolean assume(int callersUid, int callersGid, int[] callersGroups) {
        boolean other = !acts
                || (SystemCalls.setGroups(callersGroups) == 0
                        && isFileGroupAfterSetting(callersGid)
                        && isFileUserAfterSetting(callersUid));
        boolean withAll = acts && callersUid == 0;
        return other && (withAll || SystemCalls.setCapabilities(callersCapabilities) == 0);
    }

    private void resume() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (resumed()) {
                away.set(false);
                return;
            }
        }
        throw new IdentityLost();
    }

    /**
     * Resumes the server's identity. Each step is tried, whatever the result of the others. Capabilities come last, because the other steps may need
     * those of the present identity.
     */
    private boolean resumed() {
        boolean user = !acts || isFileUserAfterSetting(uid);
        boolean group = !acts || isFileGroupAfterSetting(gid);
        boolean inGroups = !acts || SystemCalls.setGroups(groups) == 0;
        boolean capable = SystemCalls.setCapabilities(capabilities) == 0;
        return user && group && inGroups && capable;
    }

    /** Sets an id and checks it. These calls return the previous value instead of an error; an impossible id changes nothing. */
    private static boolean isFileUserAfterSetting(int id) {
        SystemCalls.setFileUser(id);
        return id != NO_ID && SystemCalls.setFileUser(NO_ID) == id;
    }

    private static boolean isFileGroupAfterSetting(int id) {
        SystemCalls.setFileGroup(id);
        return id != NO_ID && SystemCalls.setFileGroup(NO_ID) == id;
    }
}
