// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which addresses are one peer. */
final class PeerTest {

    @ParameterizedTest
    @CsvSource({"2001:db8:1:2::1, 2001:db8:1:2:ffff:ffff:ffff:ffff", "fe80::1, fe80::2", "192.0.2.1, 192.0.2.1"})
    void addressesThatOneHostCanHaveAreOnePeer(String one, String another) throws Exception {
        assertThat(peer(one)).isEqualTo(peer(another)).hasSameHashCodeAs(peer(another));
        assertThat(peer(one)).isEqualByComparingTo(peer(another));
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:1:2::1, 2001:db8:1:3::1",
        "192.0.2.1, 192.0.2.2",
        "127.0.0.1, 127.0.0.2",
        "::1, 0.0.0.1",
        "::, 0.0.0.0"
    })
    void otherAddressesAreOtherPeers(String one, String another) throws Exception {
        assertThat(peer(one)).isNotEqualTo(peer(another));
        assertThat(peer(one).compareTo(peer(another))).isNotZero();
    }

    @Test
    void anIpv4AddressWithinIpv6IsThatAddress() throws Exception {
        byte[] mapped = new byte[16];
        mapped[10] = -1;
        mapped[11] = -1;
        System.arraycopy(InetAddress.getByName("192.0.2.1").getAddress(), 0, mapped, 12, 4);

        assertThat(Peer.of(Inet6Address.getByAddress("host", mapped, 0))).isEqualTo(peer("192.0.2.1"));
    }

    @ParameterizedTest
    @CsvSource({"48, true", "56, false", "128, false"})
    void aNetworkCanBeLargerOrSmaller(int prefix, boolean one) throws Exception {
        Peer first = Peer.of(InetAddress.getByName("2001:db8:1:100::1"), prefix);
        assertThat(first.equals(Peer.of(InetAddress.getByName("2001:db8:1:200::1"), prefix)))
                .isEqualTo(one);
        assertThat(first).isEqualTo(Peer.of(InetAddress.getByName("2001:db8:1:100::1"), prefix));
    }

    /** However many addresses a host uses, all are in one share. */
    @Test
    void theAddressesOfANetworkShareItsPlaces() throws Exception {
        AddressShares places = new AddressShares(16);
        for (int host = 1; host <= 14; host++) {
            assertThat(places.enter(peer("2001:db8::" + host))).isTrue();
        }

        assertThat(places.enter(peer("2001:db8::f"))).isFalse();
        assertThat(places.enter(peer("2001:db8:0:1::1"))).isTrue();
    }

    @Test
    void aPeerIsShownAsItsAddressOrNetwork() throws Exception {
        assertThat(peer("192.0.2.1")).hasToString("192.0.2.1");
        assertThat(peer("2001:db8:1:2::1")).hasToString("2001:db8:1:2:0:0:0:0/64");
    }

    private static Peer peer(String address) throws UnknownHostException {
        return Peer.of(InetAddress.getByName(address));
    }
}
