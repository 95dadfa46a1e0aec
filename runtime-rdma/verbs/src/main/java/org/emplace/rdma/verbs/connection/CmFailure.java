// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.util.HexFormat;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.jni.NativeException;

/** Why a connection could not be set up, from the connection manager's event and status, or from a call's error number. */
record CmFailure(Reason reason, String words) {
    private static final int ENOENT = 2;
    private static final int ENODEV = 19;
    private static final int EADDRNOTAVAIL = 99;
    private static final int ENETUNREACH = 101;
    private static final int ECONNRESET = 104;
    private static final int ETIMEDOUT = 110;
    private static final int ECONNREFUSED = 111;
    private static final int EHOSTUNREACH = 113;
    private static final int EADDRINUSE = 98;
    private static final int EPERM = 1;
    private static final int EACCES = 13;

    /** InfiniBand's reasons of a rejection (InfiniBand Architecture Specification, volume 1, chapter 12, REJ). */
    private static final int INVALID_SERVICE_ID = 8;

    private static final int STALE_CONNECTION = 10;
    private static final int CONSUMER_REJECT = 28;

    /** The failure to resolve an address. */
    static CmFailure ofAddress(NativeException e) {
        return ofAddress(e.errno(), String.valueOf(e.getMessage()));
    }

    private static CmFailure ofAddress(int errno, String detail) {
        return switch (errno) {
            case ENODEV, ENOENT, EADDRNOTAVAIL, ENETUNREACH ->
                new CmFailure(Reason.NO_DEVICE, "no RDMA device routes there (" + detail + ")");
            // The kernel found the device, but librdmacm could not open it and returned -1.
            case EPERM ->
                new CmFailure(
                        Reason.NO_DEVICE,
                        "the RDMA device that routes there cannot be opened: no permission on its /dev/infiniband/uverbs*,"
                                + " or no driver for it (Debian: ibverbs-providers)");
            case ETIMEDOUT -> new CmFailure(Reason.TIMED_OUT, "the address was not resolved in time");
            default -> new CmFailure(Reason.UNREACHABLE, "the address cannot be resolved (" + detail + ")");
        };
    }

    /** Whether a call failed because the local port that the connection manager chose is in use. */
    static boolean isPortInUse(NativeException e) {
        return e.errno() == EADDRINUSE;
    }

    /** The failure of a call after the address was resolved. */
    static CmFailure of(NativeException e) {
        Reason reason = switch (e.errno()) {
            case ECONNREFUSED -> Reason.REFUSED;
            case ECONNRESET -> Reason.REJECTED;
            case ETIMEDOUT -> Reason.TIMED_OUT;
            case ENETUNREACH, EHOSTUNREACH -> Reason.UNREACHABLE;
            case ENODEV -> Reason.NO_DEVICE;
            default -> Reason.NO_RESOURCES;
        };
        return new CmFailure(reason, String.valueOf(e.getMessage()));
    }

    /** The failure to listen. */
    static CmFailure ofListening(NativeException e) {
        return switch (e.errno()) {
            case ENODEV -> new CmFailure(Reason.NO_DEVICE, "no RDMA device has that address");
            case EADDRINUSE, EADDRNOTAVAIL, EPERM, EACCES ->
                new CmFailure(Reason.ADDRESS_UNAVAILABLE, String.valueOf(e.getMessage()));
            default -> new CmFailure(Reason.NO_RESOURCES, String.valueOf(e.getMessage()));
        };
    }

    /** The failure that an event reports instead of the expected event. */
    static CmFailure of(CmEvent event, boolean iwarp) {
        String detail = event.type() + ", status " + event.status();
        return switch (event.type()) {
            case ADDRESS_ERROR -> ofAddress(-event.status(), detail);
            case ROUTE_ERROR ->
                event.status() == -ETIMEDOUT
                        ? new CmFailure(Reason.TIMED_OUT, "no route was found in time")
                        : new CmFailure(Reason.UNREACHABLE, "no route (" + detail + ")");
            case REJECTED -> ofRejection(event, iwarp);
            case UNREACHABLE ->
                event.status() == -ETIMEDOUT
                        ? new CmFailure(Reason.TIMED_OUT, "the peer does not answer the connection request")
                        : new CmFailure(Reason.UNREACHABLE, "the peer cannot be reached (" + detail + ")");
            case DEVICE_REMOVAL -> new CmFailure(Reason.NO_DEVICE, "the device has been removed");
            case DISCONNECTED -> new CmFailure(Reason.DISCONNECTED, "the peer disconnected during set-up");
            default -> new CmFailure(Reason.UNREACHABLE, "no connection (" + detail + ")");
        };
    }

    private static CmFailure ofRejection(CmEvent event, boolean iwarp) {
        boolean refused = iwarp ? event.status() == -ECONNREFUSED : event.status() == INVALID_SERVICE_ID;
        if (refused) {
            return new CmFailure(Reason.REFUSED, "nobody listens there");
        }
        if (!iwarp && event.status() == STALE_CONNECTION) {
            return new CmFailure(Reason.UNREACHABLE, "the peer still has an old connection of this queue pair");
        }
        boolean byConsumer = iwarp || event.status() == CONSUMER_REJECT;
        int length = iwarp ? event.privateData().length : lengthWithoutPadding(event.privateData());
        String said = length == 0
                ? "no private data"
                : "private data " + HexFormat.of().formatHex(event.privateData(), 0, length);
        return new CmFailure(
                Reason.REJECTED,
                byConsumer
                        ? "the peer rejected the connection, with " + said
                        : "the peer's connection manager rejected the connection, reason " + event.status());
    }

    /** The length without trailing zeros: InfiniBand pads private data to a fixed size and does not report its length. */
    private static int lengthWithoutPadding(byte[] privateData) {
        int length = privateData.length;
        while (length > 0 && privateData[length - 1] == 0) {
            length--;
        }
        return length;
    }
}
