// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The resources of this process after a full garbage collection.
 *
 * @param sockets open sockets
 * @param descriptors open file descriptors, including sockets
 * @param heapBytes bytes of reachable objects
 * @param directBytes bytes of direct buffers
 * @param instances the number of instances of each class of the project
 */
record Leftovers(long sockets, long descriptors, long heapBytes, long directBytes, Map<String, Long> instances) {
    private static final Pattern CLASS = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");
    /** Classes of pooled buffers and their memory. */
    private static final Pattern KEPT = Pattern.compile(".*\\.rpcrdma\\.memory\\..*|.*\\.iwarp\\.memory\\.Region");

    /** A pooled buffer keeps one instance of each of these classes for its next holder. */
    private static final Set<String> ONE_A_BUFFER =
            Set.of("org.emplace.rdma.MemoryRegion$MemorySegment", "org.emplace.xdr.XdrDecoder");

    private static final String BUFFER = "org.emplace.rpcrdma.memory.PooledBuffer";

    static Leftovers now() throws IOException, JMException {
        Map<String, Long> instances = new TreeMap<>();
        long heapBytes = 0;
        for (String line : histogram().lines().toList()) {
            Matcher matcher = CLASS.matcher(line);
            if (matcher.matches()) {
                heapBytes += Long.parseLong(matcher.group(2));
                if (matcher.group(3).startsWith("org.emplace.")) {
                    instances.put(matcher.group(3), Long.parseLong(matcher.group(1)));
                }
            }
        }
        List<String> descriptors = openDescriptors();
        long sockets = descriptors.stream()
                .filter(target -> target.startsWith("socket:"))
                .count();
        return new Leftovers(sockets, descriptors.size(), heapBytes, direct(), instances);
    }

    /** The live threads of the runtime. */
    static List<String> runtimeThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("emplace-"))
                .toList();
    }

    /**
     * The classes, except those of pooled memory, with at least this many more instances than before. Of a class that pooled buffers keep,
     * as many instances as there are buffers do not count.
     */
    Map<String, Long> gainedSince(Leftovers before, long least) {
        Map<String, Long> gained = new TreeMap<>();
        instances.forEach((name, count) -> {
            long earlier = before.instances.getOrDefault(name, 0L);
            long expected =
                    ONE_A_BUFFER.contains(name) ? Math.max(earlier, instances.getOrDefault(BUFFER, 0L)) : earlier;
            long more = count - expected;
            if (more >= least && !KEPT.matcher(name).matches()) {
                gained.put(name, more);
            }
        });
        return gained;
    }

    /** Counts reachable objects after a full garbage collection. */
    private static String histogram() throws JMException {
        Object text = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        return String.valueOf(text);
    }

    private static long direct() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    private static List<String> openDescriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.map(Leftovers::target).toList();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException closed) {
            return "the listing of the descriptors";
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public String toString() {
        return sockets + " sockets, " + descriptors + " descriptors, " + heapBytes / 1024 + " KiB of heap, "
                + directBytes / 1024 + " KiB of direct memory";
    }
}
