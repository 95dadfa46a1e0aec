// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.files.ExportClient;
import org.emplace.benchmarks.files.FileTask;
import org.emplace.benchmarks.files.FileWorkload;
import org.emplace.benchmarks.files.PathClient;
import org.emplace.benchmarks.report.Series;
import org.emplace.benchmarks.report.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "servers",
        mixinStandardHelpOptions = true,
        description = {
            "Measures NFS version 3 servers of this machine in turns, by the file system of emplace-nfs-client: rates, the 99th percentile, and"
                    + " the processor time of the server's process for an operation. Prints a Markdown table. benchmarks/servers starts the servers."
        })
final class Servers implements Callable<Integer> {
    private static final int KIB_4 = 4096;
    private static final int MIB = 1 << 20;
    private static final int LARGE_MIB = 64;
    private static final int TREE_FILES = 1000;
    private static final int WRITES_A_COMMIT = 64;
    private static final int MOST_THREADS = 16;
    private static final long NANOS_A_TICK = 10_000_000;
    private static final long ATTACHING = 1000;

    @Parameters(
            paramLabel = "NAME,PID,URI",
            arity = "1..*",
            description =
                    "A server: its name in the table, its process, and its export, a directory of this machine. Ratios are to the first one.")
    private List<String> wanted = new ArrayList<>();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "7", description = "Measured runs (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "5",
            description = "Runs for warm-up (${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(
            names = "--run",
            paramLabel = "MILLISECONDS",
            defaultValue = "1000",
            description = "Least duration of a run (${DEFAULT-VALUE}).")
    private long runMillis;

    @Option(names = "--quick", description = "For a first impression: one run after a warm-up of one run.")
    private boolean quick;

    @Option(
            names = "--rows",
            paramLabel = "REGEX",
            defaultValue = ".*",
            description = "Measures only operations whose names contain a match of this regular expression.")
    private Pattern rows = Pattern.compile("");

    @Option(names = "--calls", description = "Counts the server's system calls by strace instead, in one run.")
    private boolean calls;

    /** An operation in the files of a server. */
    @FunctionalInterface
    private interface Operation {
        void run(ServerFiles files, int thread) throws IOException;
    }

    /**
     * What is measured: an operation that threads repeat, or a task of {@link FileWorkload}, whose threads are its own.
     *
     * @param threads 0 for a task
     */
    private record Row(String name, int threads, Operation operation, FileTask task) {
        Row(String name, int threads, Operation operation) {
            this(name, threads, operation, FileTask.LIST);
        }

        Row(String name, FileTask task) {
            this(name, 0, (files, thread) -> {}, task);
        }
    }

    private static final List<Row> ROWS = List.of(
            new Row("attributes", 1, ServerFiles::attributes),
            new Row("attributes, 16 threads", 16, ServerFiles::attributes),
            new Row("4 KiB read at random", 1, ServerFiles::readSmall),
            new Row("4 KiB read at random, 16 threads", 16, ServerFiles::readSmall),
            new Row("4 KiB written at random, 16 threads", 16, ServerFiles::writeSmall),
            new Row("1 MiB read", 1, ServerFiles::readLarge),
            new Row("1 MiB read, 8 threads", 8, ServerFiles::readLarge),
            new Row("1 MiB written", 1, ServerFiles::writeLarge),
            new Row("1 MiB written, 8 threads", 8, ServerFiles::writeLarge),
            new Row("create and remove, 8 threads", 8, ServerFiles::createAndRemove),
            new Row("two renames", 1, ServerFiles::rename),
            new Row("list 1,000 names", 1, (files, thread) -> files.list(1000)),
            new Row("list 100,000 names", 1, (files, thread) -> files.list(100_000)),
            new Row("tree: a file made", FileTask.MAKE_TREE),
            new Row("tree: a file read", FileTask.READ_TREE),
            new Row("tree: a file removed", FileTask.REMOVE_TREE));

    /** A server that is measured. */
    private record Server(String name, long process, ServerFiles files) {}

    /** What a run measured: operations and their rate, the 99th percentile of their durations in µs, and the server's processor time of one in µs. */
    private record Run(double operations, double rate, double p99, double processor) {}

    @Override
    public Integer call() throws Exception {
        if (quick) {
            rounds = 1;
            warmUp = 1;
        }
        List<Server> servers = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (FileWorkload workload = new FileWorkload(MIB, TREE_FILES)) {
            for (String each : wanted) {
                String[] parts = each.split(",", 3);
                servers.add(new Server(
                        parts[0], Long.parseLong(parts[1]), new ServerFiles(parts[0], URI.create(parts[2]))));
            }
            String machine = Machine.describe();
            Map<Row, Map<Server, List<Run>>> measured = new LinkedHashMap<>();
            for (int round = -warmUp; round < (calls ? 1 : rounds); round++) {
                for (Row row : ROWS) {
                    for (Server server : rows.matcher(row.name()).find() ? servers : List.<Server>of()) {
                        Callable<Run> run = () -> run(row, server, threads, workload);
                        Run result = calls && round == 0 ? countingCalls(server, run) : run.call();
                        if (round >= 0) {
                            measured.computeIfAbsent(row, first -> new LinkedHashMap<>())
                                    .computeIfAbsent(server, first -> new ArrayList<>())
                                    .add(result);
                        }
                    }
                }
                System.err.println(round < 0 ? "warmed up" : "measured round " + (round + 1));
            }
            System.out.println(machine);
            System.out.println(calls ? callsTable(measured, servers) : table(measured));
            return 0;
        } finally {
            threads.shutdownNow();
            for (Server server : servers) {
                server.files().close();
            }
        }
    }

    private Run run(Row row, Server server, ExecutorService threads, FileWorkload workload) throws Exception {
        Histogram durations = new Histogram(3);
        long processor = processorTime(server.process());
        long begin = System.nanoTime();
        double operations;
        if (row.threads() == 0) {
            double rate = workload.measure(
                    row.task(), server.files().client(), "/" + server.files().name());
            operations = rate * (System.nanoTime() - begin) / 1e9;
        } else {
            List<Future<Histogram>> running = new ArrayList<>();
            for (int i = 0; i < row.threads(); i++) {
                int thread = i;
                running.add(threads.submit(() ->
                        repeat(begin, () -> row.operation().run(server.files(), thread))));
            }
            for (Future<Histogram> each : running) {
                durations.add(each.get());
            }
            operations = durations.getTotalCount();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        double spent = processorTime(server.process()) - processor;
        return new Run(
                operations, operations / seconds, durations.getValueAtPercentile(99) / 1e3, spent / operations / 1e3);
    }

    private interface Repeated {
        void run() throws IOException;
    }

    /** Repeats an operation until the run's time is over. Returns the durations in nanoseconds. */
    private Histogram repeat(long begin, Repeated operation) throws IOException {
        Histogram durations = new Histogram(3);
        long before = begin;
        do {
            before = System.nanoTime();
            operation.run();
            durations.recordValue(System.nanoTime() - before);
        } while (before - begin < runMillis * 1_000_000);
        return durations;
    }

    /** The time for which processors have run a process, in nanoseconds: utime and stime of proc(5). */
    private static long processorTime(long process) throws IOException {
        String line = Files.readString(Path.of("/proc/" + process + "/stat"));
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * NANOS_A_TICK;
    }

    /** A run whose processor time is the number of the server's system calls for an operation. */
    private static Run countingCalls(Server server, Callable<Run> run) throws Exception {
        Path counts = Files.createTempFile("emplace-calls", ".txt");
        Process strace = new ProcessBuilder(
                        "strace", "-c", "-f", "-p", String.valueOf(server.process()), "-o", counts.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Thread.sleep(ATTACHING);
        Run counted = run.call();
        strace.destroy();
        strace.waitFor();
        List<String> lines = Files.readAllLines(counts);
        Files.delete(counts);
        String[] total = lines.get(lines.size() - 1).trim().split(" +", -1);
        return new Run(
                counted.operations(), counted.rate(), counted.p99(), Long.parseLong(total[3]) / counted.operations());
    }

    private static Table table(Map<Row, Map<Server, List<Run>>> measured) {
        Table table = new Table(
                "Operation", "Server", "a second", "beside the first", "99 %, µs", "processor, µs", "beside the first");
        measured.forEach((row, byServer) -> {
            List<Run> first = byServer.values().iterator().next();
            byServer.forEach((server, runs) -> table.row(List.of(
                    row.name(),
                    server.name(),
                    text(Series.of(runs, Run::rate).median()),
                    beside(runs, first, Run::rate),
                    row.threads() == 0 ? "" : text(Series.of(runs, Run::p99).median()),
                    text(Series.of(runs, Run::processor).median()),
                    beside(runs, first, Run::processor))));
        });
        return table;
    }

    private static String beside(List<Run> runs, List<Run> first, ToDoubleFunction<Run> value) {
        return runs == first
                ? ""
                : Series.of(runs, value).dividedBy(Series.of(first, value)).toText(2);
    }

    private static Table callsTable(Map<Row, Map<Server, List<Run>>> measured, List<Server> servers) {
        Table table = new Table(Stream.concat(
                        Stream.of("System calls of an operation"),
                        servers.stream().map(Server::name))
                .toArray(String[]::new));
        measured.forEach((row, byServer) -> table.row(Stream.concat(
                        Stream.of(row.name()),
                        byServer.values().stream().map(runs -> text(runs.get(0).processor())))
                .toList()));
        return table;
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, value < 20 ? "%.1f" : "%,.0f", value);
    }

    /** The files of a server that are measured, and the operations on them. */
    private static final class ServerFiles implements AutoCloseable {
        private final String name;
        private final FileSystem system;
        private final List<FileChannel> channels = new ArrayList<>();

        ServerFiles(String server, URI uri) throws IOException {
            name = server.replace(' ', '-');
            Path export = Path.of(uri.getPath());
            Path own = Files.createDirectories(export.resolve(name));
            Files.write(own.resolve("large"), new byte[LARGE_MIB * MIB]);
            Files.write(own.resolve("renamed"), new byte[0]);
            for (int names : new int[] {1000, 100_000}) {
                Path listed = export.resolve(String.valueOf(names));
                for (int i = Files.exists(listed) ? names : 0; i < names; i++) {
                    Files.write(Files.createDirectories(listed).resolve("a-name-" + i), new byte[0]);
                }
            }
            system = FileSystems.newFileSystem(uri, Map.of());
            for (int i = 0; i < MOST_THREADS; i++) {
                channels.add(FileChannel.open(path("large"), StandardOpenOption.READ, StandardOpenOption.WRITE));
            }
        }

        String name() {
            return name;
        }

        ExportClient client() {
            return new PathClient(name, system.getPath("/"));
        }

        private Path path(String file) {
            return system.getPath("/", name, file);
        }

        private static long anywhere(int length) {
            return (long) length * ThreadLocalRandom.current().nextInt(LARGE_MIB * MIB / length);
        }

        void attributes(int thread) throws IOException {
            channels.get(thread).size();
        }

        void readSmall(int thread) throws IOException {
            channels.get(thread).read(ByteBuffer.allocate(KIB_4), anywhere(KIB_4));
        }

        void readLarge(int thread) throws IOException {
            channels.get(thread).read(ByteBuffer.allocate(MIB), anywhere(MIB));
        }

        /** Writes, and now and then has it committed. */
        void writeSmall(int thread) throws IOException {
            channels.get(thread).write(ByteBuffer.allocate(KIB_4), anywhere(KIB_4));
            if (ThreadLocalRandom.current().nextInt(WRITES_A_COMMIT) == 0) {
                channels.get(thread).force(false);
            }
        }

        void writeLarge(int thread) throws IOException {
            channels.get(thread).write(ByteBuffer.allocate(MIB), anywhere(MIB));
        }

        void createAndRemove(int thread) throws IOException {
            Files.delete(Files.createFile(path("created" + thread)));
        }

        /** Two renames. */
        void rename(int thread) throws IOException {
            Files.move(path("renamed"), path("other"), StandardCopyOption.ATOMIC_MOVE);
            Files.move(path("other"), path("renamed"), StandardCopyOption.ATOMIC_MOVE);
        }

        /** Lists names with the sizes of their files. */
        void list(int names) throws IOException {
            int found = 0;
            try (DirectoryStream<Path> listed = Files.newDirectoryStream(system.getPath("/", String.valueOf(names)))) {
                for (Path file : listed) {
                    found += Files.size(file) == 0 ? 1 : 0;
                }
            }
            if (found != names) {
                throw new IOException(found + " names instead of " + names);
            }
        }

        @Override
        public void close() throws IOException {
            for (FileChannel channel : channels) {
                channel.close();
            }
            system.close();
        }
    }
}
