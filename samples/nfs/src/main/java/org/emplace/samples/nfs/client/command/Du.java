// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.command.FileFacts.JsonLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nfs du}. */
@Command(
        name = "du",
        description = "Shows the disk space that directories use on the server, in KiB.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class Du implements Callable<Integer> {
    private static final String UNITS = "KMGTPE";

    @Parameters(
            arity = "1..*",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "Directories or files.")
    private List<RemotePath> places = new ArrayList<>();

    @Option(names = "-s", description = "Print only a total for each URL.")
    private boolean summary;

    @Option(names = "-h", description = "Print sizes in readable units, such as 1.5M.")
    private boolean readable;

    @Option(names = "--json", description = "Print one JSON object per directory, with sizes in bytes.")
    private boolean json;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return Mounts.forEach(
                settings,
                "du",
                places,
                (file, failures) -> new TreeWalk(failures, Integer.MAX_VALUE).walk(file, new Sums()));
    }

    /** Adds up the sizes in each directory. */
    private final class Sums implements TreeWalk.Visitor {
        private final Deque<Long> open = new ArrayDeque<>(); // the sums of the open directories, from the top

        @Override
        public void enter(FileFacts facts, int depth, boolean last) {
            open.push(facts.attributes().nfs().used());
        }

        @Override
        public void leave(FileFacts facts, int depth) {
            long sum = open.pop();
            if (depth > 0) {
                open.push(open.pop() + sum);
            }
            if (depth == 0 || (!summary && facts.isDirectory())) {
                print(facts.path().toUri().toString(), sum);
            }
        }
    }

    private void print(String url, long bytes) {
        if (json) {
            System.out.println(new JsonLine().with("url", url).with("bytes", bytes));
        } else {
            System.out.println((readable ? readable(bytes) : Long.toString((bytes + 1023) / 1024)) + "\t" + url);
        }
    }

    private static String readable(long bytes) {
        double value = bytes / 1024.0;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length() - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f%c", value, UNITS.charAt(unit));
    }
}
