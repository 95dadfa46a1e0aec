// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The unanswered RDMA Reads of an iWARP connection. A response names the target memory; only its request names the source. */
final class IwarpReads {
    /** No peer accepts more outstanding Reads. */
    private static final int MOST = 4096;

    private final List<Request> requests = new ArrayList<>();

    private record Request(RdmaEvent.Side side, int sinkHandle, long sinkOffset, long length, int handle, long offset) {
        boolean isAnsweredBy(RdmaEvent.Side answering, int toHandle, long toOffset) {
            long behind = toOffset - sinkOffset;
            return side != answering && sinkHandle == toHandle && behind >= 0 && behind <= length;
        }
    }

    /** Takes a request, after its DDP header. */
    RdmaEvent request(RdmaEvent.Side side, ByteBuffer body) {
        Request request = new Request(
                side,
                body.getInt(0),
                body.getLong(4),
                Integer.toUnsignedLong(body.getInt(12)),
                body.getInt(16),
                body.getLong(20));
        if (requests.size() == MOST) {
            requests.remove(0);
        }
        requests.add(request);
        return new RdmaEvent.ReadRequest(request.handle, request.offset, request.length);
    }

    /** Takes a part of a response; empty if its request is unknown. */
    Optional<RdmaEvent> response(RdmaEvent.Side side, int handle, long offset, ByteBuffer data, boolean isLast) {
        Optional<Request> answered = requests.stream()
                .filter(request -> request.isAnsweredBy(side, handle, offset))
                .findFirst();
        if (isLast) {
            answered.ifPresent(requests::remove);
        }
        return answered.map(request -> new RdmaEvent.ReadResponse(
                request.handle, request.offset + (offset - request.sinkOffset), data.remaining(), data));
    }
}
