// SPDX-License-Identifier: Apache-2.0
/** XDR (RFC 4506) for generated code and transports. */
module org.emplace.xdr {
    // Not transitive, or every module that uses this one would need the annotations to compile.
    requires static org.jspecify;

    exports org.emplace.xdr;
}
