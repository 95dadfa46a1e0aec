// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.security;

import java.util.Arrays;
import java.util.Optional;
import org.emplace.rpc.auth.gss.GssService;

/**
 * How the caller of a call is known, and what is protected: a value of {@code sec=} in nfs(5) and exports(5), with its number in lists of MOUNT (RFC 2623).
 */
public enum SecurityFlavor {
    /** AUTH_SYS: the caller's claim. AUTH_NONE counts as it, with an anonymous caller. */
    SYS("sys", 1, Optional.empty()),
    /** Kerberos proves who calls. */
    KRB5("krb5", 390003, Optional.of(GssService.NONE)),
    /** Kerberos, with a checksum over arguments and results. */
    KRB5I("krb5i", 390004, Optional.of(GssService.INTEGRITY)),
    /** Kerberos, with encrypted arguments and results. */
    KRB5P("krb5p", 390005, Optional.of(GssService.PRIVACY));

    private final String text;
    private final int number;
    private final Optional<GssService> service;

    SecurityFlavor(String text, int number, Optional<GssService> service) {
        this.text = text;
        this.number = number;
        this.service = service;
    }

    /** The flavor with a name, such as {@code krb5p}. */
    public static Optional<SecurityFlavor> of(String name) {
        return Arrays.stream(values()).filter(each -> each.text.equals(name)).findFirst();
    }

    /** The flavor of calls that are protected so. */
    public static SecurityFlavor of(GssService service) {
        return Arrays.stream(values())
                .filter(each -> each.service.filter(service::equals).isPresent())
                .findFirst()
                .orElseThrow();
    }

    /** The number of the flavor or pseudoflavor. */
    public int number() {
        return number;
    }

    /** How RPCSEC_GSS protects the calls. Empty if they are not made by it. */
    public Optional<GssService> service() {
        return service;
    }

    /** The name in exports(5). */
    @Override
    public String toString() {
        return text;
    }
}
