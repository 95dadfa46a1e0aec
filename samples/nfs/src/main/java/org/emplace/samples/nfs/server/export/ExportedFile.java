// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import org.emplace.samples.nfs.server.store.FileId;

/** A file that a handle names. */
public record ExportedFile(Export export, FileId file) {}
