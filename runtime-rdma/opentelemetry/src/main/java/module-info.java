// SPDX-License-Identifier: Apache-2.0
/** Metrics and spans of RPC calls for OpenTelemetry. */
module org.emplace.opentelemetry {
    requires transitive org.emplace.rpc;
    requires transitive io.opentelemetry.api;
    requires io.opentelemetry.common;
    requires io.opentelemetry.context;
    requires static org.jspecify;

    exports org.emplace.opentelemetry;
}
