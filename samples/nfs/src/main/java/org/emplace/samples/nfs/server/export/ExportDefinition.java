// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.path.PathBytes;

/**
 * A directory to be exported.
 *
 * @param directory absolute and without "." and ".."; clients name it so
 * @param place where the files are; empty where they are in that directory of this machine
 * @param rules for the clients that may use it; at least one
 */
public record ExportDefinition(Path directory, Optional<URI> place, List<ClientRule> rules) {

    /** Normalizes the path and copies the rules. */
    public ExportDefinition {
        directory = directory.toAbsolutePath().normalize();
        rules = List.copyOf(rules);
        if (rules.isEmpty()) {
            throw new IllegalArgumentException("an export without clients: " + directory);
        }
    }

    /** A directory of this machine. */
    public ExportDefinition(Path directory, List<ClientRule> rules) {
        this(directory, Optional.empty(), rules);
    }

    /** A directory for everybody who can connect. */
    public static ExportDefinition forEverybody(Path directory, ExportOptions options) {
        return new ExportDefinition(directory, List.of(new ClientRule(AddressRange.ALL, options)));
    }

    /** The path by which clients name the export. */
    byte[] name() {
        return directory.getFileSystem() == FileSystems.getDefault()
                ? PathBytes.of(directory)
                : directory.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Whether changes may be answered before they are on stable storage: only if no client was promised otherwise. */
    public boolean isDeferred() {
        return rules.stream().allMatch(rule -> rule.options().deferred());
    }

    /** Whether any address is admitted. */
    public boolean isOpen() {
        return rules.stream().anyMatch(rule -> rule.clients().isAll());
    }
}
