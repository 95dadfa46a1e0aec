// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.emplace.reactor.Peer;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.export.ExportDefinition.ClientRule;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.jspecify.annotations.Nullable;

/** An exported directory: its files, and the rules for those who use them. Safe for use by several threads. */
public final class Export {
    private final ExportDefinition definition;
    private final int number;
    private final long fileSystemId;
    private final List<ClientRule> rules;
    private final Opened opened;

    /** An open store, and what identifies its directory; null if nothing does. */
    record Opened(Store store, @Nullable Object directory) {}

    /**
     * @param number distinguishes its file handles from those of other exports
     * @param fileSystemId fsid of its files
     */
    Export(ExportDefinition definition, int number, long fileSystemId, Opened opened) {
        this.definition = definition;
        this.number = number;
        this.fileSystemId = fileSystemId;
        this.rules = definition.rules().stream()
                .sorted(Comparator.comparingInt(
                        (ClientRule rule) -> -rule.clients().specificity()))
                .toList();
        this.opened = opened;
    }

    /** The path by which clients mount it. */
    public byte[] path() {
        return definition.name();
    }

    /** The open store, if it is the one that a definition needs. The directory may have been made again. */
    Optional<Opened> openedFor(ExportDefinition wanted, @Nullable Object directory) {
        boolean isSame = wanted.directory().equals(definition.directory())
                && wanted.place().equals(definition.place())
                && wanted.isDeferred() == definition.isDeferred()
                && Objects.equals(directory, opened.directory());
        return isSame ? Optional.of(opened) : Optional.empty();
    }

    int number() {
        return number;
    }

    /** The number of its file system (fsid): the same after a restart. */
    public long fileSystemId() {
        return fileSystemId;
    }

    /** Its files. */
    public Store store() {
        return opened.store();
    }

    /** The clients that may use it, as configured; empty if it is open to all. */
    public List<String> clients() {
        return rules.size() == 1 && rules.get(0).clients().isAll()
                ? List.of()
                : definition.rules().stream()
                        .map(rule -> rule.clients().toString())
                        .toList();
    }

    List<SecurityFlavor> flavors() {
        return definition.flavors();
    }

    /**
     * The rights of a peer. Of the rules that hold its address, the one with the longest prefix applies.
     *
     * @throws StoreException of ACCES if no rule admits the peer
     */
    public ClientAccess admit(CallOrigin origin) throws StoreException {
        Optional<ExportOptions> options = rules.stream()
                .filter(rule -> rule.clients().contains(origin.address().getAddress()))
                .map(ClientRule::options)
                .findFirst();
        if (options.isEmpty() || !options.get().allowPort(origin.address().getPort())) {
            throw new StoreException(Failure.ACCES, this + " is not exported to " + origin.address());
        }
        boolean byListedFlavor = options.get().flavors().contains(origin.flavor());
        Caller acting = options.get().actingFor(byListedFlavor ? origin.user() : Optional.empty());
        return new ClientAccess(
                acting.withPeer(Peer.of(origin.address().getAddress())),
                options.get().readOnly(),
                options.get().flavors(),
                byListedFlavor);
    }

    @Override
    public String toString() {
        return definition.directory().toString();
    }

    /**
     * The source of a call: its address, and the user that its credential names.
     *
     * @param flavor by which the call is made
     * @param principal the caller, by a name that stays the same when the server restarts
     * @param user empty if the call's credential names no user of this system
     */
    public record CallOrigin(
            InetSocketAddress address, SecurityFlavor flavor, String principal, Optional<Caller> user) {
        /** The source of a call with AUTH_SYS or AUTH_NONE, where the user is claimed. */
        public CallOrigin(InetSocketAddress address, Optional<Caller> user) {
            this(
                    address,
                    SecurityFlavor.SYS,
                    user.map(known -> "user " + known.uid()).orElse("nobody"),
                    user);
        }
    }

    /**
     * The rights of a peer on an export.
     *
     * @param caller the identity that acts, after squashing; the anonymous one if the flavor is not listed
     * @param readOnly whether the peer may change nothing
     * @param flavors by which the peer may call, the preferred one first
     * @param byListedFlavor whether the call is made by one of them; if not, it may only mount, and ask which these are
     */
    public record ClientAccess(Caller caller, boolean readOnly, List<SecurityFlavor> flavors, boolean byListedFlavor) {
        /** Copies the flavors. */
        public ClientAccess {
            flavors = List.copyOf(flavors);
        }
    }
}
