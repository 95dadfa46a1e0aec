// SPDX-License-Identifier: Apache-2.0
/** The XDR runtime (RFC 4506) of generated code and transports. */
module org.emplace.xdr {
    // Generated classes use these annotations and are compiled in their users' modules.
    requires static transitive org.jspecify;

    exports org.emplace.xdr;
}
