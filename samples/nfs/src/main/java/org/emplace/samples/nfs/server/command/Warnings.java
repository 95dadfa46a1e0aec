// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.ExportDefinition.ClientRule;

/** Warns about settings that are probably unintended; one line each. */
final class Warnings {
    private Warnings() {}

    /**
     * @param toOthers whether the server listens on addresses that other machines reach
     * @param callersAct whether callers act as themselves; else all callers act as the server's user
     */
    static List<String> of(List<ExportDefinition> exports, boolean toOthers, boolean callersAct) {
        List<String> warnings = new ArrayList<>();
        for (ExportDefinition export : exports) {
            Path directory = export.directory();
            if (toOthers && export.isOpen() && export.flavors().contains(SecurityFlavor.SYS)) {
                warnings.add(directory + " is exported to everybody who can reach this machine; clients=ADDRESS+NETWORK"
                        + " limits access");
            }
            if (callersAct && givesRootToEverybody(export)) {
                warnings.add(directory
                        + " has no_root_squash or anonuid=0 for all clients: everybody who can connect can act"
                        + " as root on it");
            }
            if (callersAct && givesRootToStrangers(export)) {
                warnings.add(
                        directory + " has anonuid=0 with sec=krb5, krb5i or krb5p: every principal that is no user of"
                                + " this system acts as root on it");
            }
            exports.stream()
                    .filter(outer -> directory.startsWith(outer.directory()) && !directory.equals(outer.directory()))
                    .forEach(outer -> warnings.add(directory + " is inside " + outer.directory()
                            + ", so clients of that export also reach it, with the options of that export"));
        }
        return warnings;
    }

    private static boolean givesRootToEverybody(ExportDefinition export) {
        return export.rules().stream()
                .filter(rule -> rule.clients().isOpen())
                .map(ClientRule::options)
                .filter(options -> options.flavors().contains(SecurityFlavor.SYS))
                .anyMatch(options -> options.anonymousUid() == 0 || (!options.squashRoot() && !options.squashAll()));
    }

    /** A ticket of the realm is easy to have: each machine has a principal. */
    private static boolean givesRootToStrangers(ExportDefinition export) {
        return export.rules().stream()
                .map(ClientRule::options)
                .filter(options -> options.anonymousUid() == 0)
                .flatMap(options -> options.flavors().stream())
                .anyMatch(flavor -> flavor.service().isPresent());
    }
}
