// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.emplace.samples.nfs.server.export.ExportDefinition.ClientRule;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;

/**
 * Parses an export of the command line: {@code DIR} or {@code DIR:OPTION,...}. The options are those of exports(5), and {@code
 * clients=HOST+ADDRESS+NETWORK+...}. {@code URI=DIR} exports a location other than a directory of this machine; clients mount it as DIR. The
 * options begin after the first colon before an option's name, so a directory's name can have colons.
 */
public final class ExportArgument {
    private static final String CLIENTS = "clients=";
    private static final Pattern URI_AND_DIRECTORY = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]+:/.*)=(/.*)");
    private static final Pattern URI_ALONE = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]+://.*");

    private ExportArgument() {}

    /**
     * Parses an export.
     *
     * @param warnings gets a line for each option that is ignored
     */
    public static ExportDefinition parse(String text, Consumer<String> warnings) throws ExportSyntaxException {
        Matcher elsewhere = URI_AND_DIRECTORY.matcher(text);
        if (elsewhere.matches()) {
            return parse(elsewhere.group(2), Optional.of(uri(elsewhere.group(1))), warnings);
        }
        if (URI_ALONE.matcher(text).matches()) {
            throw new ExportSyntaxException(
                    "'" + text + "' does not name the directory that clients mount; write URI=/NAME");
        }
        return parse(text, Optional.empty(), warnings);
    }

    private static URI uri(String text) throws ExportSyntaxException {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new ExportSyntaxException("'" + text + "' is not a URI: " + e.getReason());
        }
    }

    private static ExportDefinition parse(String text, Optional<URI> place, Consumer<String> warnings)
            throws ExportSyntaxException {
        int colon = beginOfOptions(text);
        String directory = colon < 0 ? text : text.substring(0, colon);
        if (directory.isEmpty()) {
            throw new ExportSyntaxException("'" + text + "' names no directory; write DIR or DIR:OPTION,...");
        }
        ExportOptions options = ExportOptions.DEFAULT;
        List<AddressRange> clients = new ArrayList<>();
        if (colon >= 0) {
            List<String> words = List.of(text.substring(colon + 1).split(",", -1));
            ExportOptionList.requireOneList(words);
            for (String word : words) {
                if (word.startsWith(CLIENTS)) {
                    for (String client : word.substring(CLIENTS.length()).split("\\+", -1)) {
                        clients.addAll(AddressRange.of(client));
                    }
                } else {
                    options = ExportOptionList.applyOne(word, options, warnings);
                }
            }
        }
        if (clients.isEmpty()) {
            clients.add(AddressRange.ALL);
        }
        List<ClientRule> rules = new ArrayList<>();
        for (AddressRange client : clients) {
            rules.add(new ClientRule(client, options));
        }
        return new ExportDefinition(Path.of(directory), place, rules);
    }

    private static int beginOfOptions(String text) {
        for (int colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
            String rest = text.substring(colon + 1);
            String word = rest.contains(",") ? rest.substring(0, rest.indexOf(',')) : rest;
            if (ExportOptionList.isOption(word) || word.startsWith(CLIENTS)) {
                return colon;
            }
        }
        return -1;
    }
}
