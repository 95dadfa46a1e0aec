// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ietf.jgss.GSSException;
import org.jspecify.annotations.Nullable;

/** The errors of Kerberos that an administrator can do something about (RFC 4120 section 7.5.9). */
enum KerberosError {
    CLIENT_UNKNOWN(6, "the realm does not know the client's principal; check its name and its realm (klist)"),
    SERVER_UNKNOWN(
            7,
            "the realm does not know the server by this name; use the name of the server's principal (its host's canonical name), or"
                    + " add the principal there and its key to the server's keytab"),
    NO_COMMON_ENCRYPTION(
            14,
            "the two sides have no encryption type in common; give the server's principal a key of another type (ktadd -e), or permit"
                    + " more types in krb5.conf (permitted_enctypes)"),
    WRONG_PASSWORD(24, "the key in the keytab, or the password, is not the principal's; make the keytab anew"),
    WRONG_KEY(31, "the server's keytab does not have the key of the ticket; make it anew (ktadd), and run kinit"),
    EXPIRED(32, "the ticket has expired; run kinit"),
    CLOCKS_DIFFER(
            37,
            "the clocks of the two sides, or of one and the realm, differ by more than the realm allows; set them (NTP)"),
    WRONG_VERSION(44, "the server's keytab has no key of the ticket's version; make it anew (ktadd), and run kinit"),
    NO_SUCH_KEY(
            45,
            "the server's keytab has no key of the ticket's encryption type for the server's principal; make it anew (ktadd), and run kinit");

    /** How the JDK's exceptions give the number of an error. */
    private static final Pattern NUMBER = Pattern.compile("\\((\\d{1,3})\\)");

    /** MIT's implementation counts the same errors from here, in 32 bits. */
    private static final int MIT = -1765328384;

    private final int number;
    private final String what;

    KerberosError(int number, String what) {
        this.number = number;
        this.what = what;
    }

    /** The error that a failure of the JDK's GSS-API or login names. Its type is not public. */
    static Optional<KerberosError> in(Throwable failure) {
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            Matcher number = NUMBER.matcher(String.valueOf(each.getMessage()));
            while (number.find()) {
                Optional<KerberosError> known = of(Integer.parseInt(number.group(1)));
                if (known.isPresent()) {
                    return known;
                }
            }
        }
        return Optional.empty();
    }

    /** The error for which an acceptor of the JDK refuses a ticket. For some it has no number of Kerberos. */
    static Optional<KerberosError> ofTicket(GSSException refused) {
        String message = String.valueOf(refused.getMessage());
        return in(refused)
                .or(() -> message.contains("Checksum failed")
                        ? Optional.of(WRONG_KEY)
                        : Optional.of(NO_SUCH_KEY).filter(error -> message.contains("Cannot find key")));
    }

    /** The error of a minor status that MIT's implementation returns. */
    static Optional<KerberosError> ofMinor(long minor) {
        return of((int) minor - MIT);
    }

    /** The minor status with which MIT's implementation returns this error. */
    long minor() {
        return Integer.toUnsignedLong(MIT + number);
    }

    private static Optional<KerberosError> of(int number) {
        return Arrays.stream(values()).filter(each -> each.number == number).findFirst();
    }

    /**
     * What is wrong, and what to do.
     *
     * @param server the server's name as the client has it
     */
    String advice(String server) {
        return this == SERVER_UNKNOWN ? what + " (it is called " + server + ")" : what;
    }
}
