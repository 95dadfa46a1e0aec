// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rpcrdma.DeviceChoice.Candidate;
import org.emplace.rpcrdma.DeviceChoice.Candidates;

/**
 * Finds the device that leads to an address, by trying the candidates in order. It goes on to the next one only if a candidate has no device for the
 * address. Announces once for each host and provider which one it uses, and why. Safe for use by several threads.
 */
final class DeviceSearch {
    /** The provider that needs no hardware. */
    static final String SOFTWARE = "iwarp";

    /** The number of announced choices to remember; beyond it, choices are announced again. */
    private static final int REMEMBERED = 1024;

    private final DeviceChoice choice;
    private final Consumer<String> announcement;
    private final Set<String> said = new HashSet<>();

    /** @param announcement told of each choice once, in a line */
    DeviceSearch(DeviceChoice choice, Consumer<String> announcement) {
        this.choice = choice;
        this.announcement = announcement;
    }

    /** The operation to try with a device. */
    @FunctionalInterface
    interface Attempt<R> {
        /** Tries it. @throws RdmaException with reason NO_DEVICE where another provider should try */
        R with(Device device) throws RdmaException;
    }

    /**
     * Tries the candidates in order.
     *
     * @param relation how the address is used, for the log: {@code to} or {@code at}
     * @throws RdmaException the failure of the provider that leads there, with a hint at the others if nobody answered; NO_DEVICE if none leads there
     */
    <R> R first(String relation, InetSocketAddress address, Attempt<R> attempt) throws RdmaException {
        Candidates candidates = choice.candidates();
        List<RdmaException> passedOver = new ArrayList<>();
        for (Candidate candidate : candidates.inOrder()) {
            try {
                R result = attempt.with(candidate.device());
                String chosen = "RDMA " + relation + " " + address.getHostString() + " by " + candidate.provider();
                say(chosen, why(candidates, passedOver));
                return result;
            } catch (RdmaException failure) {
                if (failure.reason() != Reason.NO_DEVICE) {
                    throw withHint(failure, candidate.provider(), passedOver);
                }
                passedOver.add(failure);
            }
        }
        throw new RdmaException(
                Reason.NO_DEVICE,
                messages(passedOver)
                        + (candidates.named() ? "; " + RdmaProviderFactory.PROPERTY + " allows no other provider" : ""),
                passedOver.get(0));
    }

    private static String why(Candidates candidates, List<RdmaException> passedOver) {
        if (candidates.named()) {
            return ", as " + RdmaProviderFactory.PROPERTY + " says";
        }
        if (passedOver.isEmpty()) {
            return candidates.inOrder().size() == 1 ? ", the only provider installed" : ", which has a device for it";
        }
        return " (" + messages(passedOver) + ")";
    }

    private void say(String chosen, String why) {
        synchronized (said) {
            if (said.size() >= REMEMBERED) {
                said.clear();
            }
            if (!said.add(chosen)) {
                return;
            }
        }
        announcement.accept(chosen + why);
    }

    /** Adds a hint for the case that nobody answered: the peer may be there, but use another kind of RDMA. */
    private static RdmaException withHint(RdmaException failure, String provider, List<RdmaException> passedOver) {
        boolean unanswered = switch (failure.reason()) {
            case UNREACHABLE, REFUSED, TIMED_OUT -> true;
            default -> false;
        };
        if (!unanswered) {
            return failure;
        }
        String hint;
        if (!provider.equals(SOFTWARE)) {
            hint = "; " + provider + " was tried, which a software iWARP peer may not answer (-D"
                    + RdmaProviderFactory.PROPERTY + "=" + SOFTWARE + " tries that)";
        } else {
            hint = "; software iWARP was tried, which InfiniBand and RoCE peers do not answer"
                    + (passedOver.isEmpty() ? "" : " (" + messages(passedOver) + ")");
        }
        return new RdmaException(failure.reason(), failure.getMessage() + hint, failure);
    }

    private static String messages(List<RdmaException> failures) {
        return failures.stream().map(RdmaException::getMessage).collect(Collectors.joining("; "));
    }
}
