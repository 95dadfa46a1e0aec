// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

/** A file as an operation found it. */
public record FoundFile(FileId id, FileAttributes attributes) {}
