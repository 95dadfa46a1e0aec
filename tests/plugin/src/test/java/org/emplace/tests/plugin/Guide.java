// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The guide in docs/getting-started.md, taken apart: a file is a path in bold type and the block of code that follows it, a command a line that
 * begins with {@code $}, and the lines below it are what it prints.
 *
 * @param files texts by path
 * @param commands in their order
 */
record Guide(Map<String, String> files, List<Command> commands) {

    private static final Pattern FILE =
            Pattern.compile("^\\*\\*([^*]+)\\*\\*.*\n+```\\w+\n((?s:.*?))^```$", Pattern.MULTILINE);
    private static final Pattern COMMANDS = Pattern.compile("^```\n(\\$ (?s:.*?))^```$", Pattern.MULTILINE);

    /** A command and what it prints. */
    record Command(String line, List<String> output) {}

    static Guide in(Path page) throws IOException {
        String text = Files.readString(page);
        Map<String, String> files = new LinkedHashMap<>();
        Matcher file = FILE.matcher(text);
        while (file.find()) {
            files.put(file.group(1), file.group(2));
        }
        List<Command> commands = new ArrayList<>();
        Matcher block = COMMANDS.matcher(text);
        while (block.find()) {
            block.group(1).lines().forEach(line -> addTo(commands, line));
        }
        return new Guide(files, commands);
    }

    private static void addTo(List<Command> commands, String line) {
        if (line.startsWith("$ ")) {
            commands.add(new Command(line.substring(2), new ArrayList<>()));
        } else {
            commands.get(commands.size() - 1).output().add(line);
        }
    }
}
