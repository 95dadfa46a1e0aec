// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressRangeTest {

    @ParameterizedTest
    @CsvSource({
        "*, 192.0.2.1, true",
        "*, fd00::1, true",
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.0.0.0/255.0.0.0, 10.1.2.3, true",
        "192.0.2.64/26, 192.0.2.127, true",
        "192.0.2.64/26, 192.0.2.128, false",
        "192.0.2.64/26, 192.0.2.63, false",
        "0.0.0.0/0, 192.0.2.1, true",
        "0.0.0.0/0, fd00::1, false",
        "::/0, fd00::1, true",
        "::/0, 192.0.2.1, false",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fc00::1, false",
        "fd00::1, fd00:0:0::1, true",
        "::ffff:192.0.2.1, 192.0.2.1, true",
        "2001:db8:0:8000::/49, 2001:db8:0:ffff::1, true",
        "2001:db8:0:8000::/49, 2001:db8:0:7fff::1, false",
        "10.1.2.3/8, 10.9.9.9, true",
        "10.1.2.3/8, 11.1.2.3, false"
    })
    void aRangeContainsItsAddresses(String range, String address, boolean contains) throws Exception {
        assertThat(AddressRange.parse(range).contains(InetAddress.getByName(address)))
                .isEqualTo(contains);
        assertThat(AddressRange.parse(range)).hasToString(range);
    }

    @ParameterizedTest
    @CsvSource({
        "client.example, is not a client that this server knows",
        "*.example, is not a client that this server knows",
        "@netgroup, is not a client that this server knows",
        "10.1, is not a client that this server knows",
        "'', is not a client that this server knows",
        "fe80::1%eth0, is not a client that this server knows",
        "010.0.0.1, is not a client that this server knows",
        "192.0.2.256, is not a client that this server knows",
        "fd00:::1, is not an address",
        "10.0.0.0/33, a number from 0 to 32",
        "10.0.0.0/-1, a number from 0 to 32",
        "10.0.0.0/, a number from 0 to 32",
        "10.0.0.0/255.0.255.0, a number from 0 to 32",
        "fd00::/129, a number from 0 to 128"
    })
    void invalidRangesAreExplained(String text, String explanation) {
        assertThatThrownBy(() -> AddressRange.parse(text))
                .isInstanceOf(ExportSyntaxException.class)
                .hasMessageStartingWith("'" + text + "'")
                .hasMessageContaining(explanation);
    }
}
