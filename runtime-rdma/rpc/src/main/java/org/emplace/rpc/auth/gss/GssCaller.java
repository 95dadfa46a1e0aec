// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import java.security.Principal;

/**
 * Who made a call by RPCSEC_GSS.
 *
 * @param name the Kerberos principal with its realm, such as {@code ada@EXAMPLE.ORG}
 * @param service how the call and its reply are protected
 */
public record GssCaller(String name, GssService service) implements Principal {
    @Override
    public String getName() {
        return name;
    }
}
