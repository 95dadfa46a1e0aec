// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.provider.ProviderOption;
import org.emplace.samples.nfs.server.DescriptorBudget;
import org.emplace.samples.nfs.server.NfsServer;
import org.emplace.samples.nfs.server.NfsServer.Capacity;
import org.emplace.samples.nfs.server.NfsServer.Protocols;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.PrincipalMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code nfs-server}: exports directories by NFS over RDMA and TCP. */
@Command(
        name = "nfs-server",
        description = "Exports directories by NFS, over RDMA and TCP.",
        mixinStandardHelpOptions = true,
        version = "nfs-server (Emplace sample) 0.1.0",
        sortOptions = false,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "1:A directory cannot be exported or an address cannot be used; a line on standard error says why.",
            "2:Wrong usage.",
            "130, 143:Ended by SIGINT or SIGTERM, after the calls in progress were answered."
        },
        footer = {
            "",
            "Options of an export, as in exports(5), with the default first:",
            "  ro, rw                       whether clients may change anything",
            "  root_squash, no_root_squash  whether user and group 0 become anonymous",
            "  no_all_squash, all_squash    whether all users and groups do",
            "  anonuid=N, anongid=N         the anonymous user and group (65534)",
            "  insecure, secure             whether clients must use ports below 1024",
            "  sync, async                  whether changes are on disk before the reply",
            "  clients=A+B+...              addresses and networks; * for all (*)",
            "  sec=FLAVOR:...               flavors of calls, the preferred one first:",
            "                               sys, krb5, krb5i, krb5p (sys)",
            "Example:",
            "  --export /srv/a:rw,no_root_squash,clients=10.0.0.0/8+fd00::7",
            "",
            "SIGHUP makes the server read the exports and the map of principals again, also those in the file of"
                    + " --config. If they have an error, it prints all of them, and nothing changes.",
            "",
            "For each address that the server listens on, it prints a line on standard output:",
            "  listening rdma://127.0.0.1:20049 nfs",
            "and for the page of --status-port:",
            "  status http://127.0.0.1:8049/",
            "",
            "Security: with sec=sys, clients are identified by address only: AUTH_SYS credentials are not verified, and"
                    + " nothing is encrypted; so the default address is loopback. With sec=krb5, Kerberos proves who"
                    + " calls; krb5i also protects, and krb5p encrypts, arguments and results. If the server runs as root on Linux, it acts with"
                    + " the user and groups that callers claim, after squashing; otherwise all callers act as the server's"
                    + " user. File handles cannot be forged. With the posix store, no name leads outside an exported"
                    + " directory, even while local programs rename files. See docs/nfs-server.md."
        })
public final class NfsServerCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "A file of options, one a line and without dashes: 'port = 20049'. What the command line says takes"
                            + " precedence.")
    private @Nullable Path config;

    /** The command line without the options of its file. */
    private @Nullable ParseResult given;

    @Mixin
    private ExportSettings exported = new ExportSettings();

    @Option(
            names = "--bind",
            paramLabel = "ADDR",
            defaultValue = "127.0.0.1",
            description = "The address to listen on (default: ${DEFAULT-VALUE}).")
    private String bind = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "20049",
            description = "RDMA port of NFS and MOUNT (default: ${DEFAULT-VALUE}); here and below, 0 takes a free one.")
    private int port;

    @Option(
            names = "--mount-port",
            paramLabel = "N",
            defaultValue = "20048",
            description = "TCP port of MOUNT (default: ${DEFAULT-VALUE}).")
    private int mountPort;

    @Option(
            names = "--tcp-port",
            paramLabel = "N",
            description = "TCP port of NFS and MOUNT. By default, NFS is not served over TCP.")
    private @Nullable Integer tcpPort;

    @Mixin
    private ProtocolSettings protocols = new ProtocolSettings();

    @Mixin
    private KerberosSettings kerberos = new KerberosSettings();

    @Mixin
    private ProviderOption provider = new ProviderOption();

    @Mixin
    private CapacitySettings capacity = new CapacitySettings();

    @Mixin
    private StatusSettings status = new StatusSettings();

    @Option(
            names = "--register",
            description =
                    "Register the ports with this machine's rpcbind, so that clients find them, for example showmount"
                            + " -e.")
    private boolean register;

    @Option(
            names = "--check-config",
            description =
                    "Only look for errors in these options, the exports and their directories, and print all of them.")
    private boolean checksOnly;

    /** Runs the command and exits with its status. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command, not yet run. */
    public static CommandLine commandLine() {
        return parser(new NfsServerCommand()).setExecutionStrategy(NfsServerCommand::withConfiguration);
    }

    private static CommandLine parser(NfsServerCommand command) {
        return new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((problem, ignored) -> explainUsage(problem.getCommandLine(), problem));
    }

    private static int withConfiguration(ParseResult given) {
        CommandLine command = given.commandSpec().commandLine();
        @Nullable Path file = ((NfsServerCommand) command.getCommand()).config;
        if (file == null || given.isUsageHelpRequested() || given.isVersionHelpRequested()) {
            return new RunLast().execute(given);
        }
        try {
            NfsServerCommand whole = new NfsServerCommand();
            whole.given = given;
            return parser(whole)
                    .setOut(command.getOut())
                    .setErr(command.getErr())
                    .execute(configured(file, given));
        } catch (IOException e) {
            return explainUsage(command, e);
        }
    }

    private static String[] configured(Path file, ParseResult given) throws IOException {
        return new ConfigurationFile(file, () -> parser(new NfsServerCommand())).arguments(given);
    }

    /** What the command line and its file say now. */
    private NfsServerCommand current() throws IOException {
        if (config == null || given == null) {
            return this;
        }
        NfsServerCommand now = new NfsServerCommand();
        parser(now).parseArgs(configured(config, given));
        return now;
    }

    private static int explainUsage(CommandLine command, Exception problem) {
        String.valueOf(reason(problem)).lines().forEach(line -> command.getErr().println("nfs-server: " + line));
        command.getErr().println("Try 'nfs-server --help' for more.");
        return CommandLine.ExitCode.USAGE;
    }

    /** The library reports an argument that is no option by its position. */
    private static @Nullable String reason(Exception problem) {
        return problem instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()
                ? "'" + unmatched.getUnmatched().get(0) + "' is not an option"
                : problem.getMessage();
    }

    @Override
    public Integer call() throws InterruptedException {
        Capacity most = capacity.capacity(self());
        status.check(self());
        Protocols wanted = protocols.protocols(self());
        try {
            List<ExportDefinition> definitions = exported.definitions(warning -> warn("warning: " + warning));
            if (checksOnly) {
                return check(definitions);
            }
            serve(definitions, most, wanted);
        } catch (ExportSyntaxException e) {
            return explainUsage(self(), e);
        } catch (IOException e) {
            return fail(e.getMessage() == null ? e.toString() : e.getMessage());
        }
        Thread.currentThread().join();
        return CommandLine.ExitCode.OK;
    }

    /** Does what {@code --check-config} says. */
    private int check(List<ExportDefinition> definitions) {
        List<String> errors = new ArrayList<>(Exports.errors(definitions, exported.stateFolder()));
        if (KerberosSettings.isWanted(definitions)) {
            try {
                kerberos.principals();
                kerberos.server();
            } catch (IOException e) {
                errors.add(String.valueOf(e.getMessage()));
            }
        }
        if (!errors.isEmpty()) {
            return fail(String.join("\n", errors));
        }
        self().getOut().println("no errors; exports: " + definitions.size());
        self().getOut().flush();
        return CommandLine.ExitCode.OK;
    }

    private int fail(String message) {
        message.lines().forEach(this::warn);
        return CommandLine.ExitCode.SOFTWARE;
    }

    private void warn(String message) {
        self().getErr().println("nfs-server: " + message);
    }

    private void serve(List<ExportDefinition> definitions, Capacity wanted, Protocols served)
            throws IOException, InterruptedException {
        provider.apply();
        List<URI> addresses = new ArrayList<>(List.of(address("rdma", port), address("tcp", mountPort)));
        if (tcpPort != null) {
            addresses.add(address("tcp", tcpPort));
        }
        DescriptorBudget descriptors = DescriptorBudget.of(wanted, definitions.size());
        if (descriptors.connections() < wanted.connections()) {
            warn("warning: at most " + descriptors.connections() + " connections, not " + wanted.connections()
                    + ", because this process may open too few files; raise the limit with ulimit -n or systemd's"
                    + " LimitNOFILE");
        }
        Capacity most = wanted.withConnections(descriptors.connections());
        boolean byKerberos = KerberosSettings.isWanted(definitions);
        KerberosSettings.warning(self(), definitions).ifPresent(warning -> warn("warning: " + warning));
        Protocols accepted = byKerberos ? served.withKerberos(kerberos.server()) : served;
        Exports exports =
                exported.open(definitions, descriptors, byKerberos ? kerberos.principals() : PrincipalMap.NONE);
        NfsServer server;
        try {
            server = status.isWanted()
                    ? NfsServer.start(exports, addresses, most, accepted, status.statistics())
                    : NfsServer.start(exports, addresses, most, accepted);
        } catch (IOException | RuntimeException e) {
            exports.close();
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server), "nfs-server-shutdown"));
        Supervision supervision = new Supervision(this::warn);
        supervision.onHangUp(() -> reload(exports, byKerberos));
        Optional<URI> page = status.start(server::load, self().getErr());
        if (register) {
            server.register();
        }
        warnings(definitions, exports);
        if (!exports.actAsCallers()) {
            warn("all callers act as the server's user, " + System.getProperty("user.name"));
        }
        announce(definitions, server.addresses());
        page.ifPresent(address -> {
            self().getOut().println("status " + address);
            self().getOut().flush();
        });
        supervision.ready();
    }

    /** Replaces the exports by those that are configured now. */
    private synchronized void reload(Exports exports, boolean acceptsKerberos) {
        try {
            NfsServerCommand now = current();
            List<ExportDefinition> definitions = now.exported.definitions(warning -> warn("warning: " + warning));
            boolean byKerberos = KerberosSettings.isWanted(definitions);
            if (byKerberos && !acceptsKerberos) {
                throw new IOException(
                        "exports with sec=krb5, krb5i or krb5p are served only if there was one at the start;"
                                + " restart the server");
            }
            exports.replace(definitions, byKerberos ? now.kerberos.principals() : PrincipalMap.NONE);
            warnings(definitions, exports);
            self().getOut().println("reloaded; exports: " + definitions.size());
            self().getOut().flush();
        } catch (ExportSyntaxException | IOException | RuntimeException e) {
            fail("not reloaded, nothing has changed:\n" + (e.getMessage() == null ? e : e.getMessage()));
        }
    }

    private void warnings(List<ExportDefinition> definitions, Exports exports) throws IOException {
        boolean toOthers = !InetAddress.getByName(bind).isLoopbackAddress();
        Warnings.of(definitions, toOthers, exports.actAsCallers()).forEach(warning -> warn("warning: " + warning));
    }

    private URI address(String scheme, int number) {
        String host = bind.indexOf(':') >= 0 && !bind.startsWith("[") ? "[" + bind + "]" : bind;
        if (number < 0 || number > 65535) {
            throw new ParameterException(self(), "port " + number + " is not in 0 to 65535");
        }
        try {
            return new URI(scheme, null, host, number, null, null, null).parseServerAuthority();
        } catch (URISyntaxException e) {
            throw new ParameterException(self(), "'" + bind + "' is neither a host's name nor an address", e);
        }
    }

    private CommandLine self() {
        return spec == null ? new CommandLine(this) : spec.commandLine();
    }

    private void announce(List<ExportDefinition> definitions, List<URI> addresses) {
        PrintWriter out = self().getOut();
        definitions.forEach(export -> out.println(
                "exporting " + export.place().map(place -> place + "=").orElse("") + export.directory()));
        out.println("listening " + addresses.get(0) + " nfs");
        out.println("listening " + addresses.get(1) + " mount");
        for (URI address : addresses.subList(2, addresses.size())) {
            out.println("listening " + address + " nfs");
        }
        out.flush();
    }

    private void close(NfsServer server) {
        try {
            server.close();
            status.close(System.err);
        } catch (IOException e) {
            System.err.println("nfs-server: while closing: " + e.getMessage());
        }
    }

    /** The options that say how much a server does at a time. */
    private static final class CapacitySettings {
        @Option(
                names = "--connections",
                paramLabel = "N",
                defaultValue = "1024",
                description = "Limit on connections; further ones are refused (default: ${DEFAULT-VALUE}).")
        private int connections;

        @Option(
                names = "--threads",
                paramLabel = "N",
                defaultValue = "16",
                description = "Threads that serve calls; further calls wait for one (default: ${DEFAULT-VALUE}).")
        private int threads;

        @Option(
                names = "--calls",
                paramLabel = "N",
                defaultValue = "64",
                description =
                        "Limit on the calls of each connection that run or wait for a thread; further ones wait at the client"
                                + " (default: ${DEFAULT-VALUE}).")
        private int calls;

        /**
         * Returns the limits.
         *
         * @throws ParameterException if one is not positive
         */
        Capacity capacity(CommandLine command) {
            return new Capacity(
                    positive(command, "--connections", connections),
                    positive(command, "--threads", threads),
                    positive(command, "--calls", calls));
        }

        private static int positive(CommandLine command, String option, int value) {
            if (value < 1) {
                throw new ParameterException(command, option + " must be at least 1, not " + value);
            }
            return value;
        }
    }
}
