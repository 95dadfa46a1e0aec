// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.nio.file.Path;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.LoginException;

/**
 * Supplies the Kerberos tickets or keys of a client or server. A client asks for them whenever it makes a context, so it finds a ticket that {@code kinit} has renewed; a server asks once. Implementations
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

    /** The credentials of a subject that the program has logged in itself. */
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
