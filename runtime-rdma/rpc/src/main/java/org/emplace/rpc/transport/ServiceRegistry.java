// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.RpcService.Handler;
import org.emplace.rpc.message.CallHeader;
import org.emplace.rpc.message.Replies;
import org.emplace.rpc.wire.AcceptStat;
import org.emplace.rpc.wire.ReplyBody;
import org.emplace.xdr.XdrCodec;
import org.jspecify.annotations.Nullable;

/** The programs that are served, by number and version. Safe for use by several threads. */
final class ServiceRegistry {
    private static final ReplyBody PROCEDURE_UNAVAILABLE = Replies.failed(AcceptStat.PROC_UNAVAIL);

    private final List<RpcService> services = new CopyOnWriteArrayList<>();

    synchronized void add(RpcService service) {
        if (find(service.program(), service.version()) != null) {
            throw new IllegalArgumentException(
                    "program " + service.program() + " version " + service.version() + " is served already");
        }
        services.add(service);
    }

    /** Whether the service that a call is for accepts a flavour of authentication that the runtime does not know. */
    boolean accepts(int flavor, CallHeader header) {
        RpcService service = find(header.program(), header.version());
        return service != null && service.flavors().contains(flavor);
    }

    /** The code that answers a call; null where {@link #refusal} says why there is none. */
    @Nullable
    Handler<?, ?> handler(CallHeader header) {
        RpcService service = find(header.program(), header.version());
        Handler<?, ?> handler = service == null ? null : service.handlers().get(header.procedure());
        return handler != null && header.procedure() == 0 && doesNothing(handler.procedure()) ? null : handler;
    }

    private static boolean doesNothing(Procedure<?, ?> procedure) {
        return procedure.arguments().equals(XdrCodec.VOID)
                && procedure.results().equals(XdrCodec.VOID);
    }

    /**
     * The answer to a call that has no handler. Procedure 0 does nothing by convention (RFC 5531 section 12.1), so it needs none, and no thread: clients ask
     * by it whether a server is there, which one whose threads are all busy is.
     */
    ReplyBody refusal(CallHeader header) {
        if (find(header.program(), header.version()) != null) {
            return header.procedure() == 0 ? Replies.SUCCESS : PROCEDURE_UNAVAILABLE;
        }
        List<Long> versions = services.stream()
                .filter(service -> service.program() == header.program())
                .map(RpcService::version)
                .sorted()
                .toList();
        return versions.isEmpty()
                ? Replies.failed(AcceptStat.PROG_UNAVAIL)
                : Replies.programMismatch(versions.get(0), versions.get(versions.size() - 1));
    }

    private @Nullable RpcService find(long program, long version) {
        for (int i = 0; i < services.size(); i++) {
            RpcService service = services.get(i);
            if (service.program() == program && service.version() == version) {
                return service;
            }
        }
        return null;
    }
}
