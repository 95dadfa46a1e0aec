// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.files.FileNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nfs tree}. */
@Command(name = "tree", description = "Draws directory trees.", mixinStandardHelpOptions = true, sortOptions = false)
final class Tree implements Callable<Integer> {

    @Parameters(arity = "1..*", paramLabel = "URL", converter = MountSettings.Url.class, description = "Directories.")
    private List<RemotePath> places = new ArrayList<>();

    @Option(names = "-L", paramLabel = "N", description = "Show at most N levels.")
    private int levels = Integer.MAX_VALUE;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return Mounts.forEach(settings, "tree", places, (top, failures) -> {
            System.out.println(FileNames.text(top));
            new TreeWalk(failures, levels).walk(top, new Drawing());
        });
    }

    /** Draws the branches. */
    private static final class Drawing implements TreeWalk.Visitor {
        private final List<String> above = new ArrayList<>(); // the text that each level above has in a line

        @Override
        public void enter(FileFacts facts, int depth, boolean last) throws IOException {
            if (depth == 0) {
                return;
            }
            above.subList(depth - 1, above.size()).clear();
            System.out.print(String.join("", above) + (last ? "└── " : "├── "));
            above.add(last ? "    " : "│   ");
            facts.printName();
            System.out.println();
        }
    }
}
