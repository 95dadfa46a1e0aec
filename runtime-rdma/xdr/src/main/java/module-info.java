// SPDX-License-Identifier: Apache-2.0
/** XDR (RFC 4506) for generated code and transports. */
module org.emplace.xdr {
    // Generated classes have its annotations, and are compiled in their users' modules.
    requires static transitive org.jspecify;

    exports org.emplace.xdr;
}
