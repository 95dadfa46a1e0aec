// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

/** What clients with certain addresses may do. */
public record ClientRule(AddressRange clients, ExportOptions options) {}
