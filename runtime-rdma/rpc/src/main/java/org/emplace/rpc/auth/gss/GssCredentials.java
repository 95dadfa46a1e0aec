// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.nio.file.Path;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.LoginException;

/**
 * Whose tickets and keys are used. Each context is made with those that there are then, so a ticket that {@code kinit} renews is found. Implementations
 * must be safe for use by several threads, and may block.
 */
@FunctionalInterface
public interface GssCredentials {

    /**
     * The subject with the tickets or keys.
     *
     * @throws LoginException if there are none
     */
    Subject subject() throws LoginException;

    /** Those of the program's own login. */
    static GssCredentials of(Subject subject) {
        return () -> subject;
    }

    /** The tickets that {@code kinit} left in the user's cache. */
    static GssCredentials ticketCache() {
        return () -> KerberosLogin.by(Map.of("useTicketCache", "true"));
    }

    /** For clients that run unattended: gets a ticket for a principal by the key in a keytab. */
    static GssCredentials keytab(String principal, Path keytab) {
        return () -> KerberosLogin.by(
                Map.of("principal", principal, "useKeyTab", "true", "keyTab", keytab.toString(), "storeKey", "true"));
    }

    /** For servers: accepts clients by the keys in a keytab. Asks no key distribution center. */
    static GssCredentials acceptor(String principal, Path keytab) {
        return () -> KerberosLogin.by(Map.of(
                "principal",
                principal,
                "useKeyTab",
                "true",
                "keyTab",
                keytab.toString(),
                "storeKey",
                "true",
                "isInitiator",
                "false"));
    }
}
