// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;
import org.jspecify.annotations.Nullable;

/** Parses options of exports(5): words separated by commas. */
final class ExportOptionList {
    /** The options that exist, for messages. */
    private static final String KNOWN =
            "ro, rw, root_squash, no_root_squash, all_squash, no_all_squash, anonuid=N, anongid=N,"
                    + " secure, insecure, sync, async, sec=FLAVOR:...";

    private static final String FLAVORS = "sec=";

    private static final long LARGEST_ID = 0xfffffffeL;

    /** The last three are accepted because many files have them. The server always behaves as they specify. */
    private static final Map<String, UnaryOperator<ExportOptions>> FLAGS = Map.ofEntries(
            Map.entry("ro", options -> options.withReadOnly(true)),
            Map.entry("rw", options -> options.withReadOnly(false)),
            Map.entry("root_squash", options -> options.withSquashRoot(true)),
            Map.entry("no_root_squash", options -> options.withSquashRoot(false)),
            Map.entry("all_squash", options -> options.withSquashAll(true)),
            Map.entry("no_all_squash", options -> options.withSquashAll(false)),
            Map.entry("secure", options -> options.withPrivilegedPorts(true)),
            Map.entry("insecure", options -> options.withPrivilegedPorts(false)),
            Map.entry("sync", options -> options.withDeferred(false)),
            Map.entry("async", options -> options.withDeferred(true)),
            Map.entry("no_subtree_check", UnaryOperator.identity()),
            Map.entry("hide", UnaryOperator.identity()),
            Map.entry("nocrossmnt", UnaryOperator.identity()));

    private static final String NO_EFFECT = "has no effect on this server";

    /** Options of Linux's server without effect here, and what to know about each. Nobody gets more rights because they are ignored. */
    private static final Map<String, String> IGNORED = Map.ofEntries(
            Map.entry("crossmnt", "is ignored: give each file system that is mounted below a line of its own"),
            Map.entry("nohide", "is ignored: clients mount this directory by its own path"),
            Map.entry(
                    "subtree_check", "is ignored: handles are signed, so clients have only those that they were given"),
            Map.entry("fsid", "is ignored: the numbers of file systems follow from the path of the export"),
            Map.entry("wdelay", NO_EFFECT),
            Map.entry("no_wdelay", NO_EFFECT),
            Map.entry("acl", NO_EFFECT),
            Map.entry("no_acl", NO_EFFECT),
            Map.entry("secure_locks", NO_EFFECT),
            Map.entry("insecure_locks", NO_EFFECT),
            Map.entry("auth_nlm", NO_EFFECT),
            Map.entry("no_auth_nlm", NO_EFFECT),
            Map.entry("pnfs", NO_EFFECT),
            Map.entry("no_pnfs", NO_EFFECT),
            Map.entry("security_label", NO_EFFECT));

    private ExportOptionList() {}

    /** Whether a word is an option, with a valid value or not. */
    static boolean isOption(String word) {
        return FLAGS.containsKey(word)
                || IGNORED.containsKey(name(word))
                || word.startsWith("anonuid=")
                || word.startsWith("anongid=")
                || word.startsWith(FLAVORS);
    }

    private static String name(String word) {
        return word.startsWith("fsid=") ? "fsid" : word;
    }

    /**
     * Applies a list of options to others. The empty list changes nothing.
     *
     * @param warnings gets a line for each option that is ignored
     */
    static ExportOptions apply(String list, ExportOptions options, Consumer<String> warnings)
            throws ExportSyntaxException {
        ExportOptions changed = options;
        if (!list.isEmpty()) {
            List<String> words = List.of(list.split(",", -1));
            requireOneList(words);
            for (String word : words) {
                changed = applyOne(word, changed, warnings);
            }
        }
        return changed;
    }

    /** Applies one option to others. */
    static ExportOptions applyOne(String word, ExportOptions options, Consumer<String> warnings)
            throws ExportSyntaxException {
        @Nullable UnaryOperator<ExportOptions> flag = FLAGS.get(word);
        if (flag != null) {
            return flag.apply(options);
        } else if (word.startsWith("anonuid=")) {
            return options.withAnonymous(id(word), options.anonymousGid());
        } else if (word.startsWith("anongid=")) {
            return options.withAnonymous(options.anonymousUid(), id(word));
        } else if (word.startsWith(FLAVORS)) {
            return options.withFlavors(flavors(word));
        }
        @Nullable String ignored = IGNORED.get(name(word));
        if (ignored == null) {
            throw new ExportSyntaxException("'" + word + "' is not an export option; use one of " + KNOWN);
        }
        warnings.accept("'" + word + "' " + ignored);
        return options;
    }

    /** In exports(5), options after a further list apply only to its flavors, which this server cannot do. */
    static void requireOneList(List<String> words) throws ExportSyntaxException {
        if (words.stream().filter(word -> word.startsWith(FLAVORS)).count() > 1) {
            throw new ExportSyntaxException(
                    "sec= is given twice; give all flavors in one list, such as sec=krb5p:krb5, with the same options for all");
        }
    }

    private static List<SecurityFlavor> flavors(String word) throws ExportSyntaxException {
        List<SecurityFlavor> flavors = new ArrayList<>();
        for (String name : word.substring(FLAVORS.length()).split(":", -1)) {
            Optional<SecurityFlavor> flavor = SecurityFlavor.of(name);
            if (flavor.isEmpty() || flavors.contains(flavor.get())) {
                throw new ExportSyntaxException(
                        "'" + word + "' needs flavors separated by colons, each once: sys, krb5, krb5i, krb5p");
            }
            flavors.add(flavor.get());
        }
        return flavors;
    }

    private static long id(String word) throws ExportSyntaxException {
        String digits = word.substring(word.indexOf('=') + 1);
        if (digits.matches("\\d{1,10}") && Long.parseLong(digits) <= LARGEST_ID) {
            return Long.parseLong(digits);
        }
        throw new ExportSyntaxException("'" + word + "' needs a number from 0 to " + LARGEST_ID);
    }
}
