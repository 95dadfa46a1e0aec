// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.emplace.rpcrdma.header.ConnectionPrivateData.InlineThresholds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The eight bytes of RFC 8797 section 4. */
final class ConnectionPrivateDataTest {

    @ParameterizedTest
    @CsvSource({
        "false,   1024,   1024, f6ab0e1801000000",
        "true,    4096,   8192, f6ab0e1801010307",
        "true,  262144, 262144, f6ab0e180101ffff",
    })
    void messageIsEncodedAsInTheRfcAndDecoded(boolean invalidation, int send, int receive, String hex) {
        ConnectionPrivateData message = new ConnectionPrivateData(invalidation, send, receive);
        byte[] bytes = HexFormat.of().parseHex(hex);

        assertThat(message.encode()).isEqualTo(bytes);
        assertThat(ConnectionPrivateData.find(bytes)).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({"1024, 1024", "2047, 1024", "4096, 4096", "1048576, 262144"})
    void thresholdsAreRoundedDownToExpressibleValues(int threshold, int said) {
        assertThat(ConnectionPrivateData.offering(false, threshold))
                .isEqualTo(new ConnectionPrivateData(false, said, said));
    }

    @ParameterizedTest
    @CsvSource({
        "'',                         1024",
        "f6ab0e18010003,             1024",
        "f6ab0e1802000303,           1024",
        "f6ab0e1901000303,           1024",
        "00000000f6ab0e1801000303,   4096",
        "f6ab0e180100030300000000,   4096",
    })
    void messageIsFoundAmongOtherBytes(String hex, int threshold) {
        assertThat(ConnectionPrivateData.find(HexFormat.of().parseHex(hex)))
                .isEqualTo(new ConnectionPrivateData(false, threshold, threshold));
    }

    /** Each direction has the smaller of what its sender sends and its receiver receives. */
    @ParameterizedTest
    @CsvSource({
        "4096, 8192, 1024, 2048, 2048, 1024",
        "1024, 2048, 4096, 8192, 1024, 2048",
    })
    void thresholdsAreTheSmallerOfBothSides(
            int ourSends, int ourReceives, int peerSends, int peerReceives, int send, int receive) {
        assertThat(InlineThresholds.of(
                        new ConnectionPrivateData(false, ourSends, ourReceives),
                        new ConnectionPrivateData(false, peerSends, peerReceives)))
                .isEqualTo(new InlineThresholds(send, receive));
    }
}
