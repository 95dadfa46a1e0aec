// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.emplace.compiler.binding.Binding;
import org.emplace.compiler.model.Protocol;

/** Explains the RPC-over-RDMA messages of a capture, over iWARP and RoCE version 2, by the binding of their programs. Ignores all other traffic. */
public final class CaptureExplainer {
    private final Timeline timeline;
    private final Definitions definitions;
    private final List<Conversation> conversations = new ArrayList<>();
    private final Map<Set<Endpoint>, Followed> iwarp = new HashMap<>();
    private final RoceConnections roce = new RoceConnections(this::conversation);
    private long last;

    /** A TCP connection. */
    private record Followed(IwarpConnection connection, Conversation conversation) {
        void end(long nanoseconds) {
            connection.end(nanoseconds);
            conversation.end();
        }
    }

    private CaptureExplainer(Protocol protocol, Binding binding, boolean isForViolationsOnly, Consumer<String> out) {
        timeline = new Timeline(out, isForViolationsOnly);
        definitions = new Definitions(protocol, binding);
    }

    /**
     * Explains a capture, pcap or pcapng, line by line.
     *
     * @param protocol the programs whose arguments and results are decoded
     * @param isForViolationsOnly whether messages that break no rule are left out
     * @return the number of violations
     * @throws MalformedCapture if the file is not a capture, or cannot be read to its end; packets before that are explained
     */
    public static long explain(
            Path capture, Protocol protocol, Binding binding, boolean isForViolationsOnly, Consumer<String> out)
            throws IOException {
        CaptureExplainer explainer = new CaptureExplainer(protocol, binding, isForViolationsOnly, out);
        try (CaptureFile file = CaptureFile.open(capture)) {
            try {
                for (Optional<Frame> frame = file.next(); frame.isPresent(); frame = file.next()) {
                    explainer.take(frame.get());
                }
            } finally {
                explainer.end(out);
            }
        }
        return explainer.timeline.violations();
    }

    private void take(Frame frame) {
        last = frame.nanoseconds();
        timeline.at(last);
        Optional<Packet> packet = Packet.of(frame);
        if (packet.isPresent()) {
            Optional<Packet.Tcp> tcp = packet.get().tcp();
            if (tcp.isPresent()) {
                take(packet.get(), tcp.get());
            } else {
                BthPacket.of(packet.get()).ifPresent(roce::take);
            }
            timeline.write();
        }
    }

    private void take(Packet packet, Packet.Tcp tcp) {
        Set<Endpoint> ends = Set.copyOf(List.of(packet.from(), packet.to()));
        Followed followed = iwarp.get(ends);
        if (followed != null && tcp.isSyn() && !tcp.isAck()) {
            end(ends, followed);
            followed = null;
        }
        if (followed == null) {
            if (!tcp.isSyn() && packet.payload().remaining() == 0) {
                return;
            }
            Conversation conversation = conversation(packet.from(), packet.to());
            followed = new Followed(new IwarpConnection(packet.from(), conversation), conversation);
            iwarp.put(ends, followed);
        }
        followed.connection().take(packet, tcp);
        if (followed.connection().isClosed()) {
            end(ends, followed);
        }
    }

    private void end(Set<Endpoint> ends, Followed followed) {
        followed.end(last);
        iwarp.remove(ends);
        if (!followed.conversation().isRpc()) {
            conversations.remove(followed.conversation());
        }
    }

    private Conversation conversation(Object first, Object second) {
        Conversation conversation = new Conversation(definitions, timeline, first, second);
        conversations.add(conversation);
        return conversation;
    }

    private void end(Consumer<String> out) {
        iwarp.values().forEach(followed -> followed.end(last));
        roce.end(last);
        conversations.forEach(Conversation::end);
        timeline.write();
        out.accept("connections: %d, calls: %d, replies: %d, other messages: %d, violations: %d"
                .formatted(
                        conversations.stream().filter(Conversation::isRpc).count(),
                        sum(Conversation::calls),
                        sum(Conversation::replies),
                        sum(Conversation::others),
                        timeline.violations()));
    }

    private long sum(ToLongFunction<Conversation> count) {
        return conversations.stream().mapToLong(count).sum();
    }
}
