// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

/**
 * How the caller of a call is known, and what is protected: a value of {@code sec=} in exports(5), with its number in lists of MOUNT (RFC 2623 section
 * 2.7.1).
 */
public enum SecurityFlavor {
    /** AUTH_SYS: the caller's claim. AUTH_NONE counts as it, with an anonymous caller. */
    SYS("sys", 1),
    /** Kerberos proves who calls. */
    KRB5("krb5", 390003),
    /** Kerberos, with a checksum over arguments and results. */
    KRB5I("krb5i", 390004),
    /** Kerberos, with encrypted arguments and results. */
    KRB5P("krb5p", 390005);

    private final String text;
    private final int number;

    SecurityFlavor(String text, int number) {
        this.text = text;
        this.number = number;
    }

    /** The number of the flavor or pseudoflavor. */
    public int number() {
        return number;
    }

    /** Whether calls are made by RPCSEC_GSS. */
    public boolean isKerberos() {
        return this != SYS;
    }

    /** As in exports(5). */
    @Override
    public String toString() {
        return text;
    }
}
