// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.emplace.benchmarks.files.EmcFiles;
import org.emplace.benchmarks.files.ExportClient;
import org.emplace.benchmarks.files.FileTask;
import org.emplace.benchmarks.files.FileWorkload;
import org.emplace.benchmarks.files.LibnfsTools;
import org.emplace.benchmarks.files.PathClient;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "files",
        mixinStandardHelpOptions = true,
        description = {
            "Measures clients of one NFS version 3 server on this machine in turns: the file system of emplace-nfs-client over RDMA and TCP,"
                    + " com.emc.ecs:nfs-client, the commands of libnfs, and the kernel's client if it has mounted the export."
                    + " Prints a Markdown table. benchmarks/files starts the server and rpcbind."
        })
final class ServedFiles implements Callable<Integer> {
    private static final int MIB = 1 << 20;
    private static final int QUICK_MIB = 16;
    private static final int QUICK_FILES = 100;

    @Parameters(paramLabel = "EXPORT", description = "The exported directory of this machine.")
    private Path export = Path.of("");

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5", description = "Measured runs (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "2",
            description = "Runs for warm-up (${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--mib",
            paramLabel = "MIB",
            defaultValue = "256",
            description = "Size of the file that is written and read (${DEFAULT-VALUE}).")
    private int large;

    @Option(
            names = "--files",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Files in the tree (${DEFAULT-VALUE}).")
    private int files;

    @Option(
            names = "--quick",
            description = "For a first impression: one round of 16 MiB and 100 files, without a warm-up.")
    private boolean quick;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "The server's address; its rpcbind knows the ports (${DEFAULT-VALUE}).")
    private String address = "";

    @Option(
            names = "--tcp-port",
            paramLabel = "N",
            defaultValue = "2049",
            description = "The server's port of NFS over TCP (${DEFAULT-VALUE}).")
    private int tcpPort;

    @Option(
            names = "--mounted",
            paramLabel = "DIRECTORY",
            description = "The directory where the kernel has mounted the export; its client is measured too.")
    private @Nullable Path mounted;

    @Option(
            names = "--clients",
            paramLabel = "REGEX",
            defaultValue = ".*",
            description = "Measures only clients whose names contain a match of this regular expression.")
    private Pattern names = Pattern.compile("");

    @Override
    public Integer call() throws Exception {
        if (quick) {
            rounds = 1;
            warmUp = 0;
            large = QUICK_MIB;
            files = QUICK_FILES;
        }
        Path local = Files.createTempDirectory("emplace-files");
        List<ExportClient> clients = new ArrayList<>();
        try (FileWorkload workload = new FileWorkload((long) large * MIB, files)) {
            makeListed();
            open(clients, local);
            String machine = Machine.describe();
            Map<FileTask, Map<String, List<Double>>> rates = measure(workload, clients);
            System.out.println(machine);
            System.out.println(table(rates, clients));
            return 0;
        } finally {
            for (ExportClient client : clients) {
                client.close();
            }
            Folders.delete(local);
        }
    }

    private void makeListed() throws Exception {
        Path listed = Files.createDirectories(export.resolve(FileWorkload.LISTED.substring(1)));
        for (int i = 0; i < FileWorkload.LISTED_FILES; i++) {
            Files.write(listed.resolve("a-name-" + i), new byte[0]);
        }
    }

    private void open(List<ExportClient> clients, Path local) throws Exception {
        openOurs(clients, "RDMA", "");
        openOurs(clients, "TCP", ":" + tcpPort);
        List<ExportClient> others = new ArrayList<>(
                List.of(new EmcFiles(address, export.toString()), new LibnfsTools(address, export.toString(), local)));
        if (mounted != null) {
            others.add(PathClient.direct("Linux's mount, O_DIRECT", mounted));
        }
        for (ExportClient other : others) {
            if (names.matcher(other.name()).find()) {
                clients.add(other);
            }
        }
    }

    private void openOurs(List<ExportClient> clients, String protocol, String port) throws Exception {
        String name = "emplace-nfs-client, " + protocol;
        if (names.matcher(name).find()) {
            URI uri = URI.create("nfs://" + address + port + export + "?proto=" + protocol);
            clients.add(new PathClient(
                    name, FileSystems.newFileSystem(uri, Map.of()).getPath("/")));
        }
    }

    /**
     * All clients do a task before any does the next, in alternating order over the rounds, so that other activity of the machine affects all
     * alike.
     */
    private Map<FileTask, Map<String, List<Double>>> measure(FileWorkload workload, List<ExportClient> clients)
            throws Exception {
        for (int i = 0; i < clients.size(); i++) {
            Files.createDirectory(export.resolve(String.valueOf(i)));
        }
        Map<FileTask, Map<String, List<Double>>> rates = new EnumMap<>(FileTask.class);
        for (int round = -warmUp; round < rounds; round++) {
            for (int i = 0; i < clients.size(); i++) {
                Files.deleteIfExists(export.resolve(i + FileWorkload.LARGE));
            }
            for (FileTask task : FileTask.values()) {
                for (int i = 0; i < clients.size(); i++) {
                    ExportClient client = clients.get(i);
                    if (client.tasks().contains(task)) {
                        double rate = workload.measure(task, client, "/" + i);
                        if (round >= 0) {
                            rates.computeIfAbsent(task, any -> new HashMap<>())
                                    .computeIfAbsent(client.name(), any -> new ArrayList<>())
                                    .add(rate);
                        }
                    }
                }
            }
            System.err.println(round < 0 ? "warmed up" : "measured round " + (round + 1));
        }
        return rates;
    }

    private static Table table(Map<FileTask, Map<String, List<Double>>> rates, List<ExportClient> clients) {
        String first = clients.get(0).name();
        Table table = new Table("Task", "Unit", "Client", "median (min–max)", "First client ÷ this one");
        rates.forEach((task, byClient) -> {
            for (ExportClient client : clients) {
                @Nullable List<Double> measured = byClient.get(client.name());
                @Nullable List<Double> ours = byClient.get(first);
                if (measured != null && ours != null) {
                    Series series = new Series(measured);
                    String ratio = client.name().equals(first)
                            ? ""
                            : new Series(ours).dividedBy(series).toText(2);
                    table.row(List.of(task.toString(), task.unit(), client.name(), series.toText(0), ratio));
                }
            }
        });
        return table;
    }
}
