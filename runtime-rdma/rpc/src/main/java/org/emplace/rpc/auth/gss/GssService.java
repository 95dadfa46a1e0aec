// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth.gss;

import org.emplace.rpc.auth.gss.wire.RpcGssServiceT;

/** How RPCSEC_GSS protects the body of a call and its reply (RFC 2203 section 5.3). The header always has a checksum. */
public enum GssService {
    /** No protection of bodies: {@code krb5} in exports and mounts. Eligible items are placed directly. */
    NONE(RpcGssServiceT.rpc_gss_svc_none),
    /** By a checksum: {@code krb5i}. */
    INTEGRITY(RpcGssServiceT.rpc_gss_svc_integrity),
    /** Encrypted: {@code krb5p}. */
    PRIVACY(RpcGssServiceT.rpc_gss_svc_privacy);

    private final RpcGssServiceT wire;

    GssService(RpcGssServiceT wire) {
        this.wire = wire;
    }

    RpcGssServiceT wire() {
        return wire;
    }
}
