// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.emplace.rpc.CallObserver;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.provider.ProviderOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The mount options that all subcommands have. They override those in a URL. */
public final class MountSettings {
    /** Logs which provider was chosen. Referenced here because the logging system references loggers only weakly. */
    private static final Logger TRANSPORT = Logger.getLogger("org.emplace.rpcrdma.RdmaTransport");

    @Option(
            names = "--proto",
            paramLabel = "rdma|tcp",
            converter = ProtocolName.class,
            description =
                    "Transport of NFS calls (default: rdma). Default port: from the server's rpcbind, or else 20049 (rdma) or 2049 (tcp).")
    private @Nullable String protocol;

    @Mixin
    private ProviderOption provider = new ProviderOption();

    @Option(
            names = {"-v", "--verbose"},
            description = "Report on standard error which RDMA provider is used, and why.")
    private boolean verbose;

    @Option(
            names = "--mount-port",
            paramLabel = "N",
            converter = PortNumber.class,
            description = "TCP port of the MOUNT program (default: from the server's rpcbind, or else 20048).")
    private @Nullable Integer mountPort;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            converter = Seconds.class,
            description = "Limit for connecting and for each call, lost connections included (default: 60).")
    private @Nullable Integer timeout;

    @Option(
            names = "--hard",
            description = "Retry calls without limit while the server is unreachable, like the mount option hard.")
    private @Nullable Boolean hard;

    @Option(
            names = "--sec",
            paramLabel = "FLAVOR",
            description =
                    "How calls are authenticated and protected, as of exports(5): sys, krb5, krb5i or krb5p (default: sys).")
    private @Nullable String flavor;

    @Option(
            names = "--keytab",
            paramLabel = "FILE",
            description =
                    "With --sec=krb5, krb5i or krb5p: the key of --principal, in place of the tickets that kinit left.")
    private @Nullable Path keytab;

    @Option(
            names = "--principal",
            paramLabel = "NAME",
            description = "With --keytab: who calls, such as ada@EXAMPLE.ORG.")
    private @Nullable String principal;

    /** The given options, as those of a file system. Also applies the choice of an RDMA provider. */
    Map<String, ?> environment(CallObserver observer) {
        provider.apply();
        if (verbose) {
            TRANSPORT.setLevel(Level.INFO);
        }
        Map<String, Object> environment = new HashMap<>();
        environment.put("observer", observer);
        put(environment, "proto", protocol);
        put(environment, "mountport", mountPort);
        put(environment, "timeo", timeout == null ? null : 10 * timeout);
        put(environment, "hard", hard);
        put(environment, "sec", flavor);
        put(environment, "keytab", keytab);
        put(environment, "principal", principal);
        return environment;
    }

    private static void put(Map<String, Object> environment, String name, @Nullable Object value) {
        if (value != null) {
            environment.put(name, value);
        }
    }

    /** Parses {@code rdma} or {@code tcp}. */
    static final class ProtocolName implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            String protocol = text.toLowerCase(Locale.ROOT);
            if (!protocol.equals("rdma") && !protocol.equals("tcp")) {
                throw new TypeConversionException("'" + text + "' is neither rdma nor tcp");
            }
            return protocol;
        }
    }

    /** Parses a port. */
    static final class PortNumber implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return number(text, 0xffff, "a port");
        }
    }

    /** Parses a time limit. */
    static final class Seconds implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return number(text, 86_400, "a number of seconds");
        }
    }

    /** Parses the URL of a file. */
    public static final class Url implements ITypeConverter<RemotePath> {
        @Override
        public RemotePath convert(String text) {
            try {
                return RemotePath.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    private static int number(String text, int largest, String what) {
        try {
            int number = Integer.parseInt(text);
            if (number > 0 && number <= largest) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number out of range.
        }
        throw new TypeConversionException("'" + text + "' is not " + what + " from 1 to " + largest);
    }
}
