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
import org.emplace.rpcrdma.InstalledDevices.Candidate;
import org.emplace.rpcrdma.InstalledDevices.Candidates;

/**
 * Finds the device for an address by trying the candidates in order. Tries the next one only if a candidate has no
 * device for the address. For each host, announces once which provider it uses, and why. Safe for use by several
 * threads.
 */
final class DeviceSearch {
    /** The provider that needs no hardware. */
    static final String SOFTWARE = "iwarp";

    /** The number of announced choices to remember. If there are more, choices are announced again. */
    private static final int REMEMBERED = 1024;

    private final Choice choice;
    private final Consumer<String> announcement;
    private final Set<String> said = new HashSet<>();

    /** @param announcement gets each choice once, in one line */
    DeviceSearch(Choice choice, Consumer<String> announcement) {
        this.choice = choice;
        this.announcement = announcement;
    }

    /** See {@link InstalledDevices#candidates}. */
    @FunctionalInterface
    interface Choice {
        Candidates candidates() throws RdmaException;
    }

    /** An operation to try with a device. */
    @FunctionalInterface
    interface Attempt<R> {
        /**
         * Tries the operation.
         *
         * @throws RdmaException with reason NO_DEVICE if another provider is to be tried
         */
        R with(Device device) throws RdmaException;
    }

    /**
     * Tries the candidates in order.
     *
     * @param relation how the address is used, for the log: {@code to} or {@code at}
     * @throws RdmaException the failure of the provider that has a device for the address, with a hint at the others if
     *     the peer did not answer; or with reason NO_DEVICE if no provider has one
     */
    <R> R first(String relation, InetSocketAddress address, Attempt<R> attempt) throws RdmaException {
        Candidates candidates = choice.candidates();
        List<RdmaException> passedOver = new ArrayList<>();
        for (Candidate candidate : candidates.inOrder()) {
            try {
                R result = attempt.with(candidate.device());
                sayUsed(candidate, candidates, passedOver, relation, address);
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
                        + (candidates.named()
                                ? "; the system property " + RdmaProviderFactory.PROPERTY + " excludes other providers"
                                : ""),
                passedOver.get(0));
    }

    private static String why(Candidates candidates, List<RdmaException> passedOver) {
        if (candidates.named()) {
            return ", which the system property " + RdmaProviderFactory.PROPERTY + " selects";
        }
        if (passedOver.isEmpty()) {
            return candidates.inOrder().size() == 1 ? ", the only provider installed" : ", which has a device for it";
        }
        return " (" + messages(passedOver) + ")";
    }

    /** An error, for example for lack of memory, must not lose what has been opened. */
    private void sayUsed(
            Candidate used,
            Candidates all,
            List<RdmaException> passedOver,
            String relation,
            InetSocketAddress address) {
        try {
            String chosen = "RDMA " + relation + " " + address.getHostString() + " by " + used.provider();
            say(chosen, why(all, passedOver));
        } catch (RuntimeException | Error unsaid) {
            System.getLogger(DeviceSearch.class.getName())
                    .log(System.Logger.Level.DEBUG, "cannot say which provider is used", unsaid);
        }
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

    /** If the peer did not answer, adds a hint: it may use another kind of RDMA. */
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
            hint = "; tried " + provider + ", which a peer with software iWARP may not answer (-D"
                    + RdmaProviderFactory.PROPERTY + "=" + SOFTWARE + " selects software iWARP)";
        } else {
            hint = "; tried software iWARP, which InfiniBand and RoCE peers do not answer"
                    + (passedOver.isEmpty() ? "" : " (" + messages(passedOver) + ")");
        }
        return new RdmaException(failure.reason(), failure.getMessage() + hint, failure);
    }

    private static String messages(List<RdmaException> failures) {
        return failures.stream().map(RdmaException::getMessage).collect(Collectors.joining("; "));
    }
}
