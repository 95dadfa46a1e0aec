// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

/** The options of an export for clients in a range of addresses. */
public record ClientRule(AddressRange clients, ExportOptions options) {}
