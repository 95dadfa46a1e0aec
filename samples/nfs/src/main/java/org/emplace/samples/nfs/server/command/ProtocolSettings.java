// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.NfsServer.Protocols;
import org.emplace.samples.nfs.server.NfsServer.Version;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The options that say which versions of NFS a server serves, and how. */
final class ProtocolSettings {
    private static final int LONGEST_LEASE = 3600;

    @Option(
            names = "--versions",
            split = ",",
            paramLabel = "V",
            defaultValue = "3",
            converter = VersionConverter.class,
            description = "The versions of NFS to serve: 3, or 3,4.1 (default: ${DEFAULT-VALUE}).")
    private Set<Version> versions = Set.of();

    @Option(
            names = "--lease",
            paramLabel = "SECONDS",
            defaultValue = "90",
            description = "How long a client of version 4.1 may be silent before it loses its locks and opens"
                    + " (default: ${DEFAULT-VALUE}).")
    private int lease;

    /**
     * Returns what to serve.
     *
     * @throws ParameterException if version 3 is missing, or the lease is too short or too long
     */
    Protocols protocols(CommandLine command) {
        if (!versions.contains(Version.V3)) {
            throw new ParameterException(command, "--versions must include 3");
        }
        if (lease < 1 || lease > LONGEST_LEASE) {
            throw new ParameterException(command, "--lease must be 1 to " + LONGEST_LEASE + " seconds, not " + lease);
        }
        return new Protocols(versions, Duration.ofSeconds(lease), Optional.empty());
    }

    /** Reads the number of a version. */
    private static final class VersionConverter implements ITypeConverter<Version> {
        @Override
        public Version convert(String number) {
            return Arrays.stream(Version.values())
                    .filter(version -> version.toString().equals(number))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + number + "' is neither 3 nor 4.1"));
        }
    }
}
