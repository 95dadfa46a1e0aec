// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import javax.security.auth.login.LoginException;
import org.emplace.rpc.auth.gss.GssCredentials;
import org.emplace.rpc.auth.gss.GssServer;
import org.emplace.rpc.auth.gss.GssService;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.PrincipalMap;
import org.emplace.samples.nfs.server.export.SystemUsers;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options for exports with {@code sec=krb5}, {@code krb5i} or {@code krb5p}. */
final class KerberosSettings {
    @Option(
            names = "--keytab",
            paramLabel = "FILE",
            defaultValue = "/etc/krb5.keytab",
            description =
                    "The keys of the server, for exports with sec=krb5, krb5i or krb5p (default: ${DEFAULT-VALUE}).")
    private Path keytab = Path.of("/etc/krb5.keytab");

    @Option(
            names = "--principal",
            paramLabel = "NAME",
            description =
                    "The server's principal in the keytab (default: nfs/ and this machine's canonical name, in its realm).")
    private @Nullable String principal;

    @Option(
            names = "--principal-map",
            paramLabel = "FILE",
            description =
                    "Lines of PRINCIPAL UID GID [GID ...]. Further principals of the server's realm are this system's"
                            + " users with the same names; all others are anonymous.")
    private @Nullable Path principals;

    /** Whether an export asks for Kerberos. */
    static boolean isWanted(List<ExportDefinition> exports) {
        return exports.stream()
                .flatMap(export -> export.flavors().stream())
                .anyMatch(flavor -> flavor.service().isPresent());
    }

    /** Warns of an option that has no effect, because no export asks for Kerberos. */
    static Optional<String> warning(CommandLine command, List<ExportDefinition> exports) {
        return Stream.of("--keytab", "--principal", "--principal-map")
                .filter(option -> command.getParseResult().hasMatchedOption(option) && !isWanted(exports))
                .findFirst()
                .map(option -> option + " has no effect: no export lists sec=krb5, krb5i or krb5p");
    }

    /**
     * The flavor for the server's calls.
     *
     * @throws IOException if there is no key
     */
    GssServer server() throws IOException {
        KerberosPrincipal self = self();
        if (!Files.isReadable(keytab)) {
            throw new IOException(
                    keytab + " cannot be read; exports with sec=krb5, krb5i or krb5p need a keytab with a key for "
                            + self + " (--keytab, --principal)");
        }
        if (KeyTab.getInstance(self, keytab.toFile()).getKeys(self).length == 0) {
            throw new IOException(keytab + " has no key for " + self
                    + "; add it with kadmin's ktadd, or name another principal with --principal (klist -k lists them)");
        }
        try {
            return new GssServer(GssCredentials.acceptor(self.getName(), keytab), EnumSet.allOf(GssService.class));
        } catch (LoginException e) {
            throw new IOException("the keys of " + self + " in " + keytab + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * The users as whom principals act.
     *
     * @throws IOException if the file cannot be read
     */
    PrincipalMap principals() throws IOException {
        PrincipalMap users = new SystemUsers(self().getRealm());
        return principals == null ? users : PrincipalMap.of(principals).or(users);
    }

    private KerberosPrincipal self() throws IOException {
        String name = principal == null
                ? "nfs/" + InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT)
                : principal;
        try {
            return new KerberosPrincipal(name, KerberosPrincipal.KRB_NT_SRV_HST);
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    name
                            + " is in no realm; set default_realm in krb5.conf, or name the principal with its realm (--principal)",
                    e);
        }
    }
}
