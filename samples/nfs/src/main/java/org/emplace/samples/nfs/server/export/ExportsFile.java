// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.emplace.samples.nfs.path.PathBytes;
import org.emplace.samples.nfs.server.export.ExportDefinition.ClientRule;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Parses a file in the syntax of exports(5). Each line has a directory, {@code -OPTIONS} for the clients that follow, and clients with
 * {@code (OPTIONS)} of their own. Clients are addresses, networks or {@code *}. A directory without clients is open to all.
 */
public final class ExportsFile {
    private static final Pattern CLIENT = Pattern.compile("([^()]*)(?:\\(([^()]*)\\))?");

    private final Path file;
    private final Map<Path, Integer> lines = new HashMap<>();

    private ExportsFile(Path file) {
        this.file = file;
    }

    /**
     * The exports in a file.
     *
     * @throws ExportSyntaxException with a message that begins with the file and the line
     */
    public static List<ExportDefinition> read(Path file) throws IOException, ExportSyntaxException {
        return new ExportsFile(file).parse(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    }

    private List<ExportDefinition> parse(String text) throws ExportSyntaxException {
        ExportsLines source = new ExportsLines(text);
        List<ExportDefinition> exports = new ArrayList<>();
        while (true) {
            try {
                List<String> words = source.next();
                if (words.isEmpty()) {
                    return exports;
                }
                exports.add(export(words, source.line()));
            } catch (ExportSyntaxException e) {
                throw new ExportSyntaxException(file + ":" + source.line() + ": " + e.getMessage());
            }
        }
    }

    private ExportDefinition export(List<String> words, int line) throws ExportSyntaxException {
        String name = words.get(0);
        if (!name.startsWith("/") || name.indexOf('\0') >= 0) {
            throw new ExportSyntaxException("'" + name + "' is not a directory: a line begins with an absolute path");
        }
        List<ClientRule> rules = new ArrayList<>();
        ExportOptions defaults = ExportOptions.DEFAULT;
        for (String word : words.subList(1, words.size())) {
            if (word.startsWith("-")) {
                defaults = ExportOptionList.apply(word.substring(1), defaults);
            } else {
                ClientRule rule = rule(word, defaults);
                if (rules.stream().anyMatch(earlier -> earlier.clients().equals(rule.clients()))) {
                    throw new ExportSyntaxException(
                            "the client " + rule.clients() + " is listed twice for " + name + "; remove one of them");
                }
                rules.add(rule);
            }
        }
        if (rules.isEmpty()) {
            rules.add(new ClientRule(AddressRange.ALL, defaults));
        }
        ExportDefinition export =
                new ExportDefinition(PathBytes.path(name.getBytes(StandardCharsets.ISO_8859_1)), rules);
        @Nullable Integer before = lines.put(export.directory(), line);
        if (before != null) {
            throw new ExportSyntaxException(export.directory() + " is exported on line " + before
                    + " already; list all its clients there, and end a line with \\ to continue it on the next");
        }
        return export;
    }

    private static ClientRule rule(String word, ExportOptions defaults) throws ExportSyntaxException {
        Matcher client = CLIENT.matcher(word);
        if (!client.matches()) {
            throw new ExportSyntaxException("'" + word + "' is not a client: write CLIENT or CLIENT(OPTION,...)");
        }
        if (client.group(1).isEmpty()) {
            throw new ExportSyntaxException("no client stands right before '" + word
                    + "'; remove the space between them, or write *" + word + " for everybody");
        }
        @Nullable String options = client.group(2);
        return new ClientRule(
                AddressRange.parse(client.group(1)), ExportOptionList.apply(options == null ? "" : options, defaults));
    }
}
