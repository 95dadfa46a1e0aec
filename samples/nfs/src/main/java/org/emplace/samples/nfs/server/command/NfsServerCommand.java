// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.provider.ProviderOption;
import org.emplace.samples.nfs.server.NfsServer;
import org.emplace.samples.nfs.server.export.Durability;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.ExportOptions;
import org.emplace.samples.nfs.server.export.Identity;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code nfs-server}: exports a directory by NFS version 3 over RDMA and TCP. */
@Command(
        name = "nfs-server",
        description = "Exports a directory by NFS version 3, over RDMA and TCP.",
        mixinStandardHelpOptions = true,
        version = "nfs-server (Emplace sample) 0.1.0",
        sortOptions = false,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "1:The directory cannot be exported or an address cannot be had; a line on standard error says why.",
            "2:Wrong usage.",
            "130, 143:Ended by SIGINT or SIGTERM, after the calls in progress were answered."
        },
        footer = {
            "",
            "Each address that is listened at is a line on standard output:",
            "  listening rdma://127.0.0.1:20049 nfs",
            "",
            "Security: whoever can connect can use the export; there is no authentication but AUTH_SYS, where callers"
                    + " say themselves who they are. That is why the default address is loopback. With --identity server"
                    + " everybody has the rights of the user that runs this command, and owners of new files are that user."
                    + " With --identity caller, which needs root, the server checks mode bits for the user and groups that"
                    + " a call names, root included, and gives new files to that user. File handles cannot be forged and"
                    + " symbolic links are never followed. Users of this machine who can write to the exported directory"
                    + " could still lead an operation outside by swapping a directory for a symbolic link in the moment"
                    + " between its check and its use: do not export what untrusted local users can write to."
        })
public final class NfsServerCommand implements Callable<Integer> {
    private static final int MOST_OPEN_FILES = 512;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--export", required = true, paramLabel = "DIR", description = "The directory.")
    private Path directory = Path.of("");

    @Option(
            names = "--bind",
            paramLabel = "ADDR",
            defaultValue = "127.0.0.1",
            description = "The address to listen at (default: ${DEFAULT-VALUE}).")
    private String bind = "";

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "20049",
            description = "RDMA port of NFS and MOUNT (default: ${DEFAULT-VALUE}); 0 takes a free one, here as below.")
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
            description = "TCP port of NFS and MOUNT; without it no NFS over TCP.")
    private @Nullable Integer tcpPort;

    @Mixin
    private ProviderOption provider = new ProviderOption();

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "1024",
            description = "The most connections at a time; further ones are refused (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--identity",
            paramLabel = "WHO",
            defaultValue = "SERVER",
            description = "Whose rights count: server or caller (default: server).")
    private Identity identity = Identity.SERVER;

    @Option(
            names = "--async",
            description =
                    "Answer changes of names and attributes before they are on stable storage: faster, but a crash of the"
                            + " machine may lose them.")
    private boolean async;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "Where the key of the file handles is kept, so that they outlive the server (default: a folder of the"
                            + " export's own in $XDG_STATE_HOME or ~/.local/state).")
    private @Nullable Path state;

    /** Runs the command and exits with its status. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new NfsServerCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((problem, ignored) -> explainUsage(problem))
                .execute(args));
    }

    private static int explainUsage(ParameterException problem) {
        System.err.println("nfs-server: " + problem.getMessage());
        System.err.println("Try 'nfs-server --help' for more.");
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public Integer call() throws InterruptedException {
        boolean root = System.getProperty("user.name").equals("root");
        if (identity == Identity.CALLER && !root) {
            return fail("--identity caller needs root, to give files to their makers");
        }
        if (directory.toString().isEmpty()) {
            throw new ParameterException(commandLine(), "--export names no directory");
        }
        if (connections < 1) {
            throw new ParameterException(commandLine(), "--connections is 1 at least, not " + connections);
        }
        try {
            serve();
            if (root && identity == Identity.SERVER) {
                System.err.println("nfs-server: warning: everybody who can connect to " + bind + " acts as root on "
                        + directory + "; see --identity");
            }
        } catch (NoSuchFileException e) {
            return fail(e.getFile() + ": no such directory");
        } catch (NotDirectoryException e) {
            return fail(e.getFile() + ": not a directory");
        } catch (IOException e) {
            return fail(e.getMessage() == null ? e.toString() : e.getMessage());
        }
        Thread.currentThread().join();
        return CommandLine.ExitCode.OK;
    }

    private static int fail(String message) {
        System.err.println("nfs-server: " + message);
        return CommandLine.ExitCode.SOFTWARE;
    }

    private void serve() throws IOException {
        provider.apply();
        List<URI> addresses = new ArrayList<>(List.of(address("rdma", port), address("tcp", mountPort)));
        if (tcpPort != null) {
            addresses.add(address("tcp", tcpPort));
        }
        ExportOptions options = ExportOptions.DEFAULT
                .withIdentity(identity)
                .withDurability(async ? Durability.DEFERRED : Durability.SYNCHRONOUS)
                .withOpenFiles(openFiles());
        Export export = Export.open(
                directory, state == null ? StateFolder.of(directory.toRealPath(), System.getenv()) : state, options);
        NfsServer server;
        try {
            server = NfsServer.start(export, addresses, connections);
        } catch (IOException | RuntimeException e) {
            export.close();
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server), "nfs-server-shutdown"));
        announce(server.addresses());
    }

    private URI address(String scheme, int number) {
        String host = bind.indexOf(':') >= 0 && !bind.startsWith("[") ? "[" + bind + "]" : bind;
        if (number < 0 || number > 65535) {
            throw new ParameterException(commandLine(), "a port is 0 to 65535, not " + number);
        }
        try {
            return new URI(scheme, null, host, number, null, null, null).parseServerAuthority();
        } catch (URISyntaxException e) {
            throw new ParameterException(commandLine(), "'" + bind + "' is neither a host's name nor an address", e);
        }
    }

    private CommandLine commandLine() {
        return spec == null ? new CommandLine(this) : spec.commandLine();
    }

    private void announce(List<URI> addresses) {
        PrintWriter out = commandLine().getOut();
        out.println("exporting " + directory.toAbsolutePath().normalize());
        out.println("listening " + addresses.get(0) + " nfs");
        out.println("listening " + addresses.get(1) + " mount");
        for (URI address : addresses.subList(2, addresses.size())) {
            out.println("listening " + address + " nfs");
        }
        out.flush();
    }

    /** Connections need descriptors too. */
    private static int openFiles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? (int) Math.max(1, Math.min(MOST_OPEN_FILES, system.getMaxFileDescriptorCount() / 4))
                : MOST_OPEN_FILES;
    }

    private static void close(NfsServer server) {
        try {
            server.close();
        } catch (IOException e) {
            System.err.println("nfs-server: while closing: " + e.getMessage());
        }
    }
}
