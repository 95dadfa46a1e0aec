// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.javamodel;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The words that an XDR identifier is made of, and the Java names made of them: docs/generated-code.md, "Names". */
final class NameWords {
    private NameWords() {}

    /** {@code READ3resok} → {@code Read3Resok}. */
    static String capitalised(String identifier) {
        return validStart(split(identifier).map(NameWords::capital).collect(Collectors.joining()));
    }

    /** {@code rdma_xid} → {@code rdmaXid}. */
    static String camel(String identifier) {
        String name = capitalised(identifier);
        return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    /** {@code getAddr} → {@code GET_ADDR}; digits stay with the letters on either side. */
    static String constant(String identifier) {
        return validStart(identifier.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT));
    }

    /**
     * The longest prefix, ending in an underscore, that all identifiers share and that leaves each of them a name; the first such
     * prefix where there is one identifier only.
     */
    static String commonPrefix(List<String> identifiers) {
        String first = identifiers.get(0);
        String best = "";
        for (int end = first.indexOf('_') + 1; end > 0; end = first.indexOf('_', end) + 1) {
            String prefix = first.substring(0, end);
            if (!identifiers.stream().allMatch(each -> leavesAName(each, prefix))) {
                break;
            }
            best = prefix;
            if (identifiers.size() == 1) {
                break;
            }
        }
        return best;
    }

    private static boolean leavesAName(String identifier, String prefix) {
        return identifier.startsWith(prefix)
                && identifier.length() > prefix.length()
                && Character.isLetter(identifier.charAt(prefix.length()));
    }

    private static Stream<String> split(String identifier) {
        String spaced = identifier.replaceAll("(?<=[0-9])(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])", "_");
        return Stream.of(spaced.split("_")).filter(word -> !word.isEmpty());
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1).toLowerCase(Locale.ROOT);
    }

    private static String validStart(String name) {
        return !name.isEmpty() && Character.isJavaIdentifierStart(name.charAt(0)) ? name : "X" + name;
    }
}
