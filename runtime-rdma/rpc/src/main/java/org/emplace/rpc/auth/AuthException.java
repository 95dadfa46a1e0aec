// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

/**
 * An authentication flavor rejects a credential or verifier, or cannot create one. A server answers the call with
 * AUTH_ERROR and the {@link #status}; at a client, the call fails. It has no stack trace, because any peer can cause
 * it.
 */
public final class AuthException extends Exception {
    /** AUTH_BADCRED: the credential is malformed, or not genuine. */
    public static final int BAD_CREDENTIAL = 1;

    /** AUTH_REJECTEDCRED: the credential is not accepted; the client must begin a new session. */
    public static final int REJECTED_CREDENTIAL = 2;

    /** AUTH_BADVERF: the verifier is malformed, or not genuine. */
    public static final int BAD_VERIFIER = 3;

    /** AUTH_REJECTEDVERF: the verifier has expired, or was replayed. */
    public static final int REJECTED_VERIFIER = 4;

    /** AUTH_TOOWEAK: the program requires a stronger flavor. */
    public static final int TOO_WEAK = 5;

    /** AUTH_INVALIDRESP, which is never sent: a reply's verifier is not genuine. */
    public static final int INVALID_REPLY = 6;

    /** AUTH_FAILED: any other reason. */
    public static final int FAILED = 7;

    /** RPCSEC_GSS_CREDPROBLEM: the server does not know the security context, or the checksum of the header is not valid. */
    public static final int CREDENTIAL_PROBLEM = 13;

    /** RPCSEC_GSS_CTXPROBLEM: the security context cannot be used any more. */
    public static final int CONTEXT_PROBLEM = 14;

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status an auth_stat (RFC 5531 section 9): one of the above or another one registered with IANA
     * @param why the reason in one line; not sent to the peer
     */
    public AuthException(int status, String why) {
        super(why, null, false, false);
        this.status = status;
    }

    /** The auth_stat. */
    public int status() {
        return status;
    }
}
