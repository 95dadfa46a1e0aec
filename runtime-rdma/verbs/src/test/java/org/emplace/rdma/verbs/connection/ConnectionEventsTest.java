// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.connection.ConnectionEvents.Event;
import org.emplace.rdma.verbs.connection.ConnectionEvents.Failure;
import org.emplace.rdma.verbs.jni.NativeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages for connections that could not be set up. */
class ConnectionEventsTest {

    @ParameterizedTest(name = "{0} with status {1}, iWARP {2}")
    @CsvSource({
        "ADDRESS_ERROR, -19, false, NO_DEVICE",
        "ADDRESS_ERROR, -101, false, NO_DEVICE",
        "ADDRESS_ERROR, -1, true, NO_DEVICE",
        "ADDRESS_ERROR, -99, true, NO_DEVICE",
        "ADDRESS_ERROR, -110, false, TIMED_OUT",
        "ADDRESS_ERROR, -113, false, UNREACHABLE",
        "ROUTE_ERROR, -110, false, TIMED_OUT",
        "ROUTE_ERROR, -22, false, UNREACHABLE",
        "CONNECT_ERROR, -22, true, UNREACHABLE",
        "UNREACHABLE, -110, false, TIMED_OUT",
        "UNREACHABLE, -113, false, UNREACHABLE",
        "REJECTED, 8, false, REFUSED",
        "REJECTED, 28, false, REJECTED",
        "REJECTED, 10, false, UNREACHABLE",
        "REJECTED, 6, false, REJECTED",
        "REJECTED, -111, true, REFUSED",
        "REJECTED, -104, true, REJECTED",
        "DEVICE_REMOVAL, 0, false, NO_DEVICE",
        "DISCONNECTED, 0, true, DISCONNECTED",
        "UNKNOWN, 0, false, UNREACHABLE",
    })
    void everyEventThatEndsASetUpHasItsReason(Event.Type type, int status, boolean iwarp, Reason reason) {
        assertThat(Failure.of(event(type, status), iwarp).reason()).isEqualTo(reason);
    }

    @Test
    void whatThePeerSaidWhenItRejectedIsTold() {
        Event rejection = new Event(1, 0, Event.Type.REJECTED, 28, 0, 0, new byte[] {(byte) 0xca, (byte) 0xfe});
        assertThat(Failure.of(rejection, false).words()).contains("private data cafe");
    }

    /** InfiniBand pads private data to a fixed size with zeros. */
    @ParameterizedTest(name = "{0}, iWARP {1}")
    @CsvSource({
        "cafe0000, false, private data cafe",
        "00000000, false, no private data",
        "cafe0000, true, private data cafe0000",
    })
    void whatThePeerDidNotSayIsNotTold(String came, boolean iwarp, String told) {
        Event rejection =
                new Event(1, 0, Event.Type.REJECTED, 28, 0, 0, HexFormat.of().parseHex(came));
        assertThat(Failure.of(rejection, iwarp).words()).endsWith("with " + told);
    }

    @ParameterizedTest
    @CsvSource({"111, REFUSED", "110, TIMED_OUT", "113, UNREACHABLE", "19, NO_DEVICE", "12, NO_RESOURCES"})
    void aCallThatFailsHasTheReasonOfItsErrorNumber(int errno, Reason reason) {
        assertThat(Failure.of(new NativeException("rdma_connect", errno, "as the system says"))
                        .reason())
                .isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource({"98, ADDRESS_UNAVAILABLE", "99, ADDRESS_UNAVAILABLE", "13, ADDRESS_UNAVAILABLE", "19, NO_DEVICE"})
    void listeningIsRefusedForTheAddressOrForWantOfADevice(int errno, Reason reason) {
        assertThat(Failure.ofListening(new NativeException("rdma_bind_addr", errno, "as the system says"))
                        .reason())
                .isEqualTo(reason);
    }

    private static Event event(Event.Type type, int status) {
        return new Event(1, 0, type, status, 0, 0, new byte[0]);
    }
}
