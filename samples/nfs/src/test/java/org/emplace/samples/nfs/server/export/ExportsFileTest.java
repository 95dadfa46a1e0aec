// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.export.ExportDefinition.ClientRule;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExportsFileTest {
    private static final ExportOptions DEFAULT = ExportOptions.DEFAULT;

    @TempDir
    Path folder;

    private final List<String> warnings = new ArrayList<>();

    private List<ExportDefinition> exports(String text) throws Exception {
        return ExportsFile.read(Files.writeString(folder.resolve("exports"), text), warnings::add);
    }

    private static ExportDefinition export(String directory, Object... clientsAndOptions) throws Exception {
        List<ClientRule> rules = new ArrayList<>();
        for (int i = 0; i < clientsAndOptions.length; i += 2) {
            rules.add(new ClientRule(
                    AddressRange.parse((String) clientsAndOptions[i]), (ExportOptions) clientsAndOptions[i + 1]));
        }
        return new ExportDefinition(Path.of(directory), rules);
    }

    @Test
    void linesAreExports() throws Exception {
        String text = """
                # The lab's.
                /srv/a 10.0.0.0/8(rw,no_root_squash) *

                \t/srv/b\tfd00::/8(rw)   # to be written by one network
                /srv/c
                /srv/d *(async,anonuid=7)
                /srv/e -sec=krb5p:krb5i 10.0.0.1 10.0.0.2(sec=sys)""";
        assertThat(exports(text))
                .isEqualTo(List.of(
                        export(
                                "/srv/a",
                                "10.0.0.0/8",
                                DEFAULT.withReadOnly(false).withSquashRoot(false),
                                "*",
                                DEFAULT),
                        export("/srv/b", "fd00::/8", DEFAULT.withReadOnly(false)),
                        export("/srv/c", "*", DEFAULT),
                        export("/srv/d", "*", DEFAULT.withDeferred(true).withAnonymous(7, 65534)),
                        export(
                                "/srv/e",
                                "10.0.0.1",
                                DEFAULT.withFlavors(List.of(SecurityFlavor.KRB5P, SecurityFlavor.KRB5I)),
                                "10.0.0.2",
                                DEFAULT)));
    }

    @Test
    void anEmptyFileHasNoExports() throws Exception {
        assertThat(exports("")).isEmpty();
        assertThat(exports("# nothing\n\n \\\n")).isEmpty();
    }

    @Test
    void aBackslashContinuesALine() throws Exception {
        assertThat(exports("/srv/a \\\n  10.0.0.1(rw)\\\n  10.0.0.2\n/srv/b\n"))
                .isEqualTo(List.of(
                        export("/srv/a", "10.0.0.1", DEFAULT.withReadOnly(false), "10.0.0.2", DEFAULT),
                        export("/srv/b", "*", DEFAULT)));
    }

    @Test
    void defaultsHoldForTheClientsAfterThem() throws Exception {
        assertThat(exports("/srv/a 10.0.0.1 -rw,all_squash 10.0.0.2 10.0.0.3(ro) -async 10.0.0.4\n/srv/b -rw\n"))
                .isEqualTo(List.of(
                        export(
                                "/srv/a",
                                "10.0.0.1",
                                DEFAULT,
                                "10.0.0.2",
                                DEFAULT.withReadOnly(false).withSquashAll(true),
                                "10.0.0.3",
                                DEFAULT.withSquashAll(true),
                                "10.0.0.4",
                                DEFAULT.withReadOnly(false).withSquashAll(true).withDeferred(true)),
                        export("/srv/b", "*", DEFAULT.withReadOnly(false))));
    }

    @Test
    void namesAreQuotedOrEscaped() throws Exception {
        assertThat(exports("\"/srv/with space\" *\n/srv/with\\040space#2 *\n\"/srv/a#\"/\"b\\042\"\n"))
                .isEqualTo(List.of(
                        export("/srv/with space", "*", DEFAULT),
                        export("/srv/with space#2", "*", DEFAULT),
                        export("/srv/a#/b\"", "*", DEFAULT)));
    }

    @Test
    void namesAreBytes() throws Exception {
        String name = "/srv/\u00fc";
        Path file =
                Files.write(folder.resolve("exports"), (name + "\n/srv/\\303\\244").getBytes(StandardCharsets.UTF_8));
        assertThat(ExportsFile.read(file, warnings::add))
                .extracting(export -> new String(export.name(), StandardCharsets.UTF_8))
                .containsExactly(name, "/srv/\u00e4");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /srv/a@/srv/b no..host         | 2: 'no..host' has no address: is the name right, and does the name service answer?
            /srv/a@/srv/b *.example        | 2: '*.example' is not a client that this server knows
            /srv/a@srv/b                   | 2: 'srv/b' is not a directory: a line begins with an absolute path
            #@@/srv/a *(rw,wrong)          | 3: 'wrong' is not an export option; use one of ro, rw
            /srv/a * (rw)                  | 1: no client stands right before '(rw)'; remove the space between them, or write *(rw) for everybody
            /srv/a *(rw                    | 1: '*(rw' is not a client: write CLIENT or CLIENT(OPTION,...)
            /srv/a *(rw)(ro)               | 1: '*(rw)(ro)' is not a client
            /srv/a *@/srv/b@/srv/a/. *     | 3: /srv/a is exported on line 1 already
            /srv/a 10.0.0.1(rw) *  10.0.0.1 | 1: the client 10.0.0.1 is listed twice for /srv/a
            /srv/a 10.0.0.0/8 * 10.0.0.0/255.0.0.0(rw) | 1: the client 10.0.0.0/255.0.0.0 is listed twice
            "/srv/a *@/srv/b               | 1: a quote (") is not closed
            /srv/a\\40b                    | 1: a backslash is followed by three octal digits
            /srv/a\\x                      | 1: a backslash is followed by three octal digits
            /srv/a \\@ 10.0.0.0/8 \\@ 1.2  | 1: '1.2' is not a client that this server knows
            /srv/a -rw,mountpoint *        | 1: 'mountpoint' is not an export option
            /srv/a *(anonuid=)             | 1: 'anonuid=' needs a number from 0 to 4294967294
            """)
    void errorsHaveTheirLine(String lines, String explanation) {
        assertThatThrownBy(() -> exports(lines.replace('@', '\n').replace("\\\\", "\\")))
                .isInstanceOf(ExportSyntaxException.class)
                .hasMessageStartingWith(folder.resolve("exports") + ":" + explanation);
    }

    @Test
    void allErrorsAreFound() {
        String text = """
                /srv/a *(fast)
                srv/b
                "/srv/c *
                /srv/d\\x *(rw)
                /srv/e 10.0.0.1
                /srv/e *""";
        Path file = folder.resolve("exports");
        assertThatThrownBy(() -> exports(text))
                .isInstanceOf(ExportSyntaxException.class)
                .satisfies(errors -> assertThat(
                                String.valueOf(errors.getMessage()).lines())
                        .extracting(line -> line.substring(0, (file + ":1").length()))
                        .containsExactly(file + ":1", file + ":2", file + ":3", file + ":4", file + ":6"));
    }

    @Test
    void warningsHaveTheirLine() throws Exception {
        assertThat(exports("/srv/a *(rw,fsid=0)\n/srv/b \\\n  10.0.0.5/24(crossmnt)\n"))
                .isEqualTo(List.of(
                        export("/srv/a", "*", DEFAULT.withReadOnly(false)), export("/srv/b", "10.0.0.0/24", DEFAULT)));
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0)).startsWith(folder.resolve("exports") + ":1: 'fsid=0' is ignored");
        assertThat(warnings.get(1)).startsWith(folder.resolve("exports") + ":2: 'crossmnt' is ignored");
    }
}
