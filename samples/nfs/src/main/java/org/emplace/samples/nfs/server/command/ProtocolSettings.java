// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.emplace.samples.nfs.server.NfsServer.Protocols;
import org.emplace.samples.nfs.server.NfsServer.Version;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** The options that say which versions of NFS a server serves, and how. */
final class ProtocolSettings {
    private static final int LONGEST = 3600;

    @Option(
            names = "--versions",
            split = ",",
            paramLabel = "V",
            defaultValue = "3,4.1,4.2",
            converter = VersionConverter.class,
            description = "The versions of NFS to serve: 3, and 4.1 or 4.2 or both (default: ${DEFAULT-VALUE}).")
    private Set<Version> versions = Set.of();

    @Option(
            names = "--lease",
            paramLabel = "SECONDS",
            defaultValue = "90",
            description = "How long a client of version 4 may be silent before it loses its locks and opens"
                    + " (default: ${DEFAULT-VALUE}).")
    private int lease;

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            description = "How long, after a restart, clients of version 4 may reclaim their locks and opens while"
                    + " nobody gets others (default: the lease). It ends early when all have.")
    private @Nullable Integer grace;

    @Option(
            names = "--delegations",
            description =
                    "Grant delegations to clients of version 4, which then keep files in their caches without asking."
                            + " Only for exports that nobody changes but by this server.")
    private boolean delegations;

    /**
     * Returns what to serve.
     *
     * @throws ParameterException if version 3 is missing, or a time is too short or too long
     */
    Protocols protocols(CommandLine command) {
        if (!versions.contains(Version.V3)) {
            throw new ParameterException(command, "--versions must include 3");
        }
        Duration given = seconds(command, "--lease", lease);
        return new Protocols(
                versions,
                given,
                grace == null ? given : seconds(command, "--grace", grace),
                delegations,
                Optional.empty());
    }

    private static Duration seconds(CommandLine command, String option, int value) {
        if (value < 1 || value > LONGEST) {
            throw new ParameterException(command, option + " must be 1 to " + LONGEST + " seconds, not " + value);
        }
        return Duration.ofSeconds(value);
    }

    /** Reads the number of a version. */
    private static final class VersionConverter implements ITypeConverter<Version> {
        @Override
        public Version convert(String number) {
            return Arrays.stream(Version.values())
                    .filter(version -> version.toString().equals(number))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + number + "' is none of 3, 4.1 and 4.2"));
        }
    }
}
