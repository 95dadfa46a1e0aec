// SPDX-License-Identifier: Apache-2.0
package org.emplace.opentelemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.emplace.opentelemetry.Instruments.Convention;
import org.emplace.rpc.Procedure;
import org.jspecify.annotations.Nullable;

/** The attributes of calls, created once for each procedure and error. Safe for use by several threads. */
final class CallAttributes {
    private static final long NFS = 100_003;

    /** The attributes of all calls. */
    private final Attributes common;

    /** The known attributes. Their number is bounded, because procedures come from generated code, not from a peer. */
    private final Map<Key, Attributes> known = new ConcurrentHashMap<>();

    private record Key(
            long program,
            long version,
            long procedure,
            @Nullable Enum<?> error) {}

    /** For the calls that a server answers. */
    CallAttributes() {
        common = Attributes.of(Convention.SYSTEM, Convention.ONC_RPC);
    }

    /** For the calls to a server. */
    CallAttributes(URI server) {
        AttributesBuilder attributes = Attributes.builder().put(Convention.SYSTEM, Convention.ONC_RPC);
        if (server.getHost() != null) {
            attributes.put(Convention.SERVER_ADDRESS, server.getHost());
        }
        if (server.getPort() >= 0) {
            attributes.put(Convention.SERVER_PORT, server.getPort());
        }
        common = attributes.build();
    }

    Attributes common() {
        return common;
    }

    /**
     * Returns the attributes of a call.
     *
     * @param procedure null if it is not known
     * @param error null if the call succeeded
     */
    Attributes of(@Nullable Procedure<?, ?> procedure, @Nullable Enum<?> error) {
        Key key = procedure == null
                ? new Key(-1, -1, -1, error)
                : new Key(procedure.program().number(), procedure.program().version(), procedure.number(), error);
        Attributes found = known.get(key);
        return found == null ? known.computeIfAbsent(key, first -> make(procedure, error)) : found;
    }

    private Attributes make(@Nullable Procedure<?, ?> procedure, @Nullable Enum<?> error) {
        AttributesBuilder attributes = common.toBuilder();
        if (procedure != null) {
            attributes.put(Convention.METHOD, method(procedure));
            attributes.put(Convention.PROGRAM_NAME, procedure.program().name());
            attributes.put(Convention.VERSION, procedure.program().version());
            attributes.put(Convention.PROCEDURE_NAME, procedure.name());
            attributes.put(Convention.PROCEDURE_NUMBER, procedure.number());
        }
        if (error != null) {
            attributes.put(Convention.ERROR, error.name());
        }
        return attributes.build();
    }

    /** The program and the procedure, such as {@code NFS_PROGRAM/NFSPROC3_READ}. */
    static String method(Procedure<?, ?> procedure) {
        return procedure.program().name() + "/" + procedure.name();
    }

    /** Returns the attributes of metrics that the conventions define for NFS. */
    static Attributes nfs(Procedure<?, ?> procedure) {
        return Attributes.of(
                Convention.PROCEDURE_NAME,
                procedure.name(),
                Convention.VERSION,
                procedure.program().version());
    }

    /** Whether a procedure belongs to NFS, of any version. */
    static boolean isNfs(Procedure<?, ?> procedure) {
        return procedure.program().number() == NFS;
    }
}
