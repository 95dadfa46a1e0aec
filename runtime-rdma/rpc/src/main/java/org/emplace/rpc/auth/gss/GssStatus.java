// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import org.ietf.jgss.GSSException;

/** The major status of a context's creation, as RFC 2744 section 3.9.1 numbers them. The JDK numbers errors otherwise. */
final class GssStatus {
    static final long COMPLETE = 0;
    static final long CONTINUE_NEEDED = 1;

    private static final int ROUTINE = 16;
    private static final int NO_CRED = 7;
    private static final int DEFECTIVE_TOKEN = 9;
    private static final int CREDENTIALS_EXPIRED = 11;
    private static final int OTHER = 13;

    static final long FAILURE = (long) OTHER << ROUTINE;

    private GssStatus() {}

    /** The status of a failure. */
    static long majorOf(GSSException failure) {
        return (long) routineError(failure.getMajor()) << ROUTINE;
    }

    private static int routineError(int major) {
        return switch (major) {
            case GSSException.NO_CRED -> NO_CRED;
            case GSSException.DEFECTIVE_TOKEN -> DEFECTIVE_TOKEN;
            case GSSException.CREDENTIALS_EXPIRED -> CREDENTIALS_EXPIRED;
            default -> OTHER;
        };
    }

    /** What a status of the peer says. */
    static String describe(long major) {
        return switch ((int) (major >>> ROUTINE) & 0xff) {
            case NO_CRED -> "it has no key for the service";
            case DEFECTIVE_TOKEN -> "it does not understand the token";
            case CREDENTIALS_EXPIRED -> "the ticket has expired, or the clocks differ too much";
            default -> "GSS-API status 0x" + Long.toHexString(major);
        };
    }
}
