// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.path.PathBytes;
import org.emplace.samples.nfs.security.SecurityFlavor;

/**
 * A directory to be exported.
 *
 * @param directory absolute, without "." and ".."; the path by which clients mount it
 * @param place the location of the files; empty if it is that directory of this machine
 * @param rules the rules for clients; at least one
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

    /** A directory that everybody may use. */
    public static ExportDefinition forEverybody(Path directory, ExportOptions options) {
        return new ExportDefinition(directory, List.of(new ClientRule(AddressRange.ALL, options)));
    }

    /** The path by which clients mount the export. */
    byte[] name() {
        return directory.getFileSystem() == FileSystems.getDefault()
                ? PathBytes.of(directory)
                : directory.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Whether the server may answer changes before they are on stable storage: only if the rules of all clients permit it. */
    public boolean isDeferred() {
        return rules.stream().allMatch(rule -> rule.options().deferred());
    }

    /** The flavors by which some clients may call, in the order of preference of the first rule that has each. */
    public List<SecurityFlavor> flavors() {
        return rules.stream()
                .flatMap(rule -> rule.options().flavors().stream())
                .distinct()
                .toList();
    }

    /** Whether any address of at least one family is admitted. */
    public boolean isOpen() {
        return rules.stream().anyMatch(rule -> rule.clients().isOpen());
    }

    /** The options of an export for clients in a range of addresses. */
    public record ClientRule(AddressRange clients, ExportOptions options) {}

    /** The description of an export is invalid. The message is one line that says what is wrong and what is valid. */
    public static final class ExportSyntaxException extends Exception {
        private static final long serialVersionUID = 1L;

        public ExportSyntaxException(String message) {
            super(message);
        }
    }
}
