// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcProgram;
import org.emplace.rpc.RpcService;
import org.emplace.rpc.RpcService.Handler;
import org.emplace.rpc.ServerObserver.Outcome;
import org.emplace.rpc.auth.AuthException;
import org.emplace.rpc.auth.AuthNone;
import org.emplace.rpc.auth.AuthSys;
import org.emplace.rpc.auth.OpaqueAuth;
import org.emplace.rpc.auth.ServerAuth;
import org.emplace.rpc.message.CallHeader;
import org.emplace.rpc.message.ReplyHeader;
import org.emplace.rpc.wire.AcceptStat;
import org.emplace.rpc.wire.AcceptedReplyData;
import org.jspecify.annotations.Nullable;

/** The programs that are served, by number and version. Safe for use by several threads. */
final class ServiceRegistry {
    private static final AcceptedReplyData PROCEDURE_UNAVAILABLE = ReplyHeader.failed(AcceptStat.PROC_UNAVAIL);

    private final List<RpcService> services = new CopyOnWriteArrayList<>();

    synchronized void add(RpcService service) {
        RpcProgram program = service.program();
        if (find(program.number(), program.version()) != null) {
            throw new IllegalArgumentException(
                    "program " + program.number() + " version " + program.version() + " is served already");
        }
        services.add(service);
    }

    /** The service that a call is for; null if there is none. Looked up only once for each call, because services may be added meanwhile. */
    @Nullable
    RpcService find(CallHeader header) {
        return find(header.program(), header.version());
    }

    /**
     * Lets the flavor of a call's credential check the call.
     *
     * @param service the one that {@link #find} returned
     * @throws AuthException if the flavor refuses it, or its service does not accept the flavor
     */
    static ServerAuth.Exchange authenticate(@Nullable RpcService service, CallHeader header) throws AuthException {
        OpaqueAuth credential = header.credential();
        List<ServerAuth> taken = service == null ? RpcService.USUAL_FLAVORS : service.flavors();
        for (int i = 0; i < taken.size(); i++) {
            if (taken.get(i).flavor() == credential.flavor()) {
                return taken.get(i).accept(credential, header.verifier(), header::upToCredential);
            }
        }
        if (credential.flavor() == AuthNone.FLAVOR && header.procedure() == 0 && handler(service, header) == null) {
            return AuthNone.INSTANCE.accept(credential, header.verifier(), header::upToCredential);
        }
        throw new AuthException(
                isTooWeak(credential.flavor(), taken) ? AuthException.TOO_WEAK : AuthException.REJECTED_CREDENTIAL,
                "the program does not accept flavor " + Integer.toUnsignedString(credential.flavor()));
    }

    /** Whether a flavor is weaker than all accepted ones. A client that is told this need not retry. */
    private static boolean isTooWeak(int flavor, List<ServerAuth> taken) {
        return (flavor == AuthNone.FLAVOR || flavor == AuthSys.FLAVOR)
                && taken.stream().allMatch(each -> Integer.compareUnsigned(each.flavor(), flavor) > 0);
    }

    /** The code that answers a call; null if there is none, and {@link #refusal} says why. */
    static @Nullable Handler<?, ?> handler(@Nullable RpcService service, CallHeader header) {
        return service == null ? null : service.handlers().get(header.procedure());
    }

    /**
     * The answer to a call that has no handler. Procedure 0 does nothing by convention (RFC 5531 section 12.1), so it needs no handler and no thread. Clients
     * use it to ask whether a server is alive, and a server is alive even if all its threads are busy.
     *
     * @param measurement measures how the call is answered
     */
    AcceptedReplyData refusal(@Nullable RpcService service, CallHeader header, CallMeasurement measurement) {
        if (service != null && header.procedure() == 0) {
            if (measurement != CallMeasurement.NONE) {
                measurement.isFor(Procedure.nothing(service.program()));
            }
            measurement.outcome(Outcome.SUCCESS);
            return ReplyHeader.SUCCESS;
        }
        if (service != null) {
            measurement.outcome(Outcome.PROCEDURE_UNAVAILABLE);
            return PROCEDURE_UNAVAILABLE;
        }
        List<Long> versions = services.stream()
                .map(RpcService::program)
                .filter(other -> other.number() == header.program())
                .map(RpcProgram::version)
                .sorted()
                .toList();
        measurement.outcome(versions.isEmpty() ? Outcome.PROGRAM_UNAVAILABLE : Outcome.PROGRAM_MISMATCH);
        return versions.isEmpty()
                ? ReplyHeader.failed(AcceptStat.PROG_UNAVAIL)
                : ReplyHeader.programMismatch(versions.get(0), versions.get(versions.size() - 1));
    }

    private @Nullable RpcService find(long program, long version) {
        for (int i = 0; i < services.size(); i++) {
            RpcService service = services.get(i);
            if (service.program().number() == program && service.program().version() == version) {
                return service;
            }
        }
        return null;
    }
}
