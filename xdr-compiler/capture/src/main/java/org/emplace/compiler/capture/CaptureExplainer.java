// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.capture.Packet.Endpoint;
import org.emplace.compiler.model.Protocol;


/** Explains the RPC-over-RDMA messages of a capture, over iWARP and RoCE version 2, with the bindings of their programs. Ignores all other traffic. */
public final class CaptureExplainer {
    private final Timeline timeline;
    private final KnownPrograms programs;
    private final Map<Set<Endpoint>, IwarpConnection> iwarp = new LinkedHashMap<>();
    private final RoceConnections roce = new RoceConnections(this::conversation);

    private CaptureExplainer(KnownPrograms programs, Timeline timeline) {
        this.programs = programs;
        this.timeline = timeline;
    }

    /**
     * Explains a capture, pcap or pcapng, line by line.
     *
     * @param protocol the programs whose arguments and results are decoded
     * @param isForViolationsOnly whether messages that break no rule are left out
     * @return the number of violations
     * @throws MalformedCapture if this is not a capture, or cannot be read to its end; the packets before that point are explained
     */
    public static long explain(
            InputStream capture, Protocol protocol, Binding binding, boolean isForViolationsOnly, Consumer<String> out)
            throws IOException {
        CaptureFile file = new CaptureFile(capture);
        Timeline timeline = new Timeline(out, isForViolationsOnly);
        CaptureExplainer explainer = new CaptureExplainer(new KnownPrograms(protocol, binding), timeline);
        try {
            for (Optional<CaptureFile.Frame> frame = file.next(); frame.isPresent(); frame = file.next()) {
                timeline.at(frame.get().nanoseconds());
                Packet.of(frame.get()).ifPresent(explainer::take);
                timeline.write();
            }
        } finally {
            explainer.end();
        }
        return timeline.violations();
    }

    private void take(Packet packet) {
        if (packet.tcp().isPresent()) {
            take(packet, packet.tcp().get());
        } else {
            BthPacket.of(packet).ifPresent(roce::take);
        }
    }

    private void take(Packet packet, Packet.Tcp tcp) {
        Set<Endpoint> ends = Set.copyOf(List.of(packet.from(), packet.to()));
        if (tcp.has(Packet.Tcp.SYN) && !tcp.has(Packet.Tcp.ACK)) {
            end(ends);
        }
        if (!iwarp.containsKey(ends)
                && !tcp.has(Packet.Tcp.SYN)
                && !packet.payload().hasRemaining()) {
            return;
        }
        IwarpConnection connection = iwarp.computeIfAbsent(
                ends,
                any -> new IwarpConnection(
                        packet.from(),
                        conversation(packet.from().toString(), packet.to().toString())));
        connection.take(packet, tcp);
        if (connection.isClosed()) {
            end(ends);
        }
    }

    private void end(Set<Endpoint> ends) {
        Optional.ofNullable(iwarp.remove(ends)).ifPresent(IwarpConnection::end);
    }

    private Conversation conversation(String first, String second) {
        return new Conversation(programs, timeline, first, second);
    }

    private void end() {
        iwarp.values().forEach(IwarpConnection::end);
        roce.end();
        timeline.end();
    }

    /** A file is not a capture, or is malformed from some offset on. */
    public static final class MalformedCapture extends IOException {
        private static final long serialVersionUID = 1L;

        /** @param offset in the file, in bytes */
        MalformedCapture(long offset, String what) {
            super("at byte " + offset + " of the file: " + what);
        }
    }
}
