// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.export.ExportDefinition.ClientRule;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExportArgumentTest {

    private static ExportDefinition parse(String argument) throws ExportSyntaxException {
        return ExportArgument.parse(argument, warning -> {});
    }

    private static ExportOptions optionsOf(String argument) throws Exception {
        ExportDefinition export = parse(argument);
        assertThat(export.directory()).isEqualTo(Path.of("/srv/a"));
        assertThat(export.rules()).hasSize(1);
        return export.rules().get(0).options();
    }

    @Test
    void aDirectoryAloneHasTheDefaults() throws Exception {
        assertThat(parse("/srv/a")).isEqualTo(ExportDefinition.forEverybody(Path.of("/srv/a"), ExportOptions.DEFAULT));
        assertThat(ExportOptions.DEFAULT)
                .isEqualTo(
                        new ExportOptions(true, true, false, 65534, 65534, false, false, List.of(SecurityFlavor.SYS)));
    }

    @Test
    void everyOptionCanBeGiven() throws Exception {
        ExportOptions defaults = ExportOptions.DEFAULT;
        assertThat(optionsOf("/srv/a:rw")).isEqualTo(defaults.withReadOnly(false));
        assertThat(optionsOf("/srv/a:rw,ro")).isEqualTo(defaults);
        assertThat(optionsOf("/srv/a:no_root_squash")).isEqualTo(defaults.withSquashRoot(false));
        assertThat(optionsOf("/srv/a:no_root_squash,root_squash")).isEqualTo(defaults);
        assertThat(optionsOf("/srv/a:all_squash")).isEqualTo(defaults.withSquashAll(true));
        assertThat(optionsOf("/srv/a:all_squash,no_all_squash")).isEqualTo(defaults);
        assertThat(optionsOf("/srv/a:all_squash,root_squash")).isEqualTo(defaults.withSquashAll(true));
        assertThat(optionsOf("/srv/a:anonuid=1,anongid=4294967294")).isEqualTo(defaults.withAnonymous(1, 4294967294L));
        assertThat(optionsOf("/srv/a:secure")).isEqualTo(defaults.withPrivilegedPorts(true));
        assertThat(optionsOf("/srv/a:secure,insecure")).isEqualTo(defaults);
        assertThat(optionsOf("/srv/a:async")).isEqualTo(defaults.withDeferred(true));
        assertThat(optionsOf("/srv/a:async,sync")).isEqualTo(defaults);
        assertThat(optionsOf("/srv/a:no_subtree_check,sec=sys")).isEqualTo(defaults);
        assertThat(optionsOf("/srv/a:sec=krb5p:krb5:sys,rw"))
                .isEqualTo(defaults.withReadOnly(false)
                        .withFlavors(List.of(SecurityFlavor.KRB5P, SecurityFlavor.KRB5, SecurityFlavor.SYS)));
    }

    @Test
    void clientsAreAList() throws Exception {
        ExportOptions writable = ExportOptions.DEFAULT.withReadOnly(false);
        assertThat(parse("/srv/b:clients=10.0.0.0/8+fd00::1,rw").rules())
                .isEqualTo(List.of(
                        new ClientRule(AddressRange.parse("10.0.0.0/8"), writable),
                        new ClientRule(AddressRange.parse("fd00::1"), writable)));
    }

    @Test
    void aHostsNameIsAllItsAddresses() throws Exception {
        assertThat(parse("/srv/a:clients=localhost").rules())
                .extracting(ClientRule::clients)
                .contains(AddressRange.parse("127.0.0.1"))
                .allMatch(range -> range.toString().equals("localhost"));
    }

    @ParameterizedTest
    @CsvSource({
        "crossmnt, give each file system that is mounted below a line of its own",
        "nohide, clients mount this directory by its own path",
        "subtree_check, handles are signed",
        "fsid=0, the numbers of file systems follow from the path",
        "no_wdelay, has no effect"
    })
    void optionsWithoutEffectAreIgnoredWithAWarning(String option, String why) throws Exception {
        List<String> warnings = new ArrayList<>();
        assertThat(ExportArgument.parse("/srv/a:" + option + ",rw", warnings::add))
                .isEqualTo(ExportDefinition.forEverybody(Path.of("/srv/a"), ExportOptions.DEFAULT.withReadOnly(false)));
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("'" + option + "' ")
                .contains(why);
    }

    @Test
    void directoriesCanHaveColons() throws Exception {
        assertThat(parse("/srv/a:b").directory()).isEqualTo(Path.of("/srv/a:b"));
        assertThat(parse("/srv/a:b:rw").directory()).isEqualTo(Path.of("/srv/a:b"));
        assertThat(parse("relative").directory()).isAbsolute();
        assertThat(parse("/srv/./x/../a").directory()).isEqualTo(Path.of("/srv/a"));
    }

    @Test
    void changesAreDeferredOnlyIfAllClientsWantThat() throws Exception {
        ClientRule quick = new ClientRule(AddressRange.parse("10.0.0.1"), ExportOptions.DEFAULT.withDeferred(true));
        ClientRule careful = new ClientRule(AddressRange.parse("10.0.0.2"), ExportOptions.DEFAULT);
        assertThat(new ExportDefinition(Path.of("/srv/a"), List.of(quick)).isDeferred())
                .isTrue();
        assertThat(new ExportDefinition(Path.of("/srv/a"), List.of(quick, careful)).isDeferred())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                       | names no directory
            :rw                      | names no directory
            /srv/a:rw,               | '' is not an export option; use one of ro, rw
            /srv/a:rw,writable       | 'writable' is not an export option; use one of ro, rw
            /srv/a:anonuid=nobody    | 'anonuid=nobody' needs a number from 0 to 4294967294
            /srv/a:anongid=4294967295| 'anongid=4294967295' needs a number from 0 to 4294967294
            /srv/a:anonuid=-2        | 'anonuid=-2' needs a number
            /srv/a:sec=krb4          | 'sec=krb4' needs flavors separated by colons, each once: sys, krb5, krb5i, krb5p
            /srv/a:sec=              | 'sec=' needs flavors
            /srv/a:sec=sys:sys       | 'sec=sys:sys' needs flavors separated by colons, each once
            /srv/a:sec=krb5,ro,sec=sys | sec= is given twice
            /srv/a:clients=          | '' is not a client that this server knows
            /srv/a:clients=no..host  | 'no..host' has no address: is the name right, and does the name service answer?
            /srv/a:rw,xprtsec=tls    | 'xprtsec=tls' is not an export option
            """)
    void errorsAreExplained(String argument, String explanation) {
        assertThatThrownBy(() -> parse(argument))
                .isInstanceOf(ExportSyntaxException.class)
                .hasMessageContaining(explanation);
    }

    @Test
    void otherLocationsHaveAUriAndAName() throws Exception {
        ExportDefinition export = parse("hdfs://host:8020/a=b/c:d=/name:rw,clients=10.0.0.0/8");
        assertThat(export.place()).contains(URI.create("hdfs://host:8020/a=b/c:d"));
        assertThat(export.directory()).isEqualTo(Path.of("/name"));
        assertThat(export.rules()).hasSize(1);
        assertThat(parse("/srv/a=/b").place()).isEmpty();
        assertThatThrownBy(() -> parse("hdfs://host/a"))
                .isInstanceOf(ExportSyntaxException.class)
                .hasMessageContaining("write URI=/NAME");
        assertThatThrownBy(() -> parse("hdfs://host/a b=/name"))
                .isInstanceOf(ExportSyntaxException.class)
                .hasMessageContaining("is not a URI");
    }
}
