// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.Failure;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.StoreException;

/** An exported directory: its files, and the rules for those who use them. Safe for use by several threads. */
public final class Export {
    private final ExportDefinition definition;
    private final int number;
    private final long fileSystemId;
    private final List<ClientRule> rules;
    private final Store store;

    /**
     * @param number tells its handles from those of other exports
     * @param fileSystemId fsid of its files
     */
    Export(ExportDefinition definition, int number, long fileSystemId, Store store) {
        this.definition = definition;
        this.number = number;
        this.fileSystemId = fileSystemId;
        this.rules = definition.rules().stream()
                .sorted(Comparator.comparingInt(
                        (ClientRule rule) -> -rule.clients().specificity()))
                .toList();
        this.store = store;
    }

    /** The path by which clients name it. */
    public byte[] path() {
        return definition.name();
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
        return store;
    }

    /** Who may use it, in the words of whoever configured it; empty if that is simply everybody. */
    public List<String> clients() {
        return rules.size() == 1 && definition.isOpen()
                ? List.of()
                : definition.rules().stream()
                        .map(rule -> rule.clients().toString())
                        .toList();
    }

    /**
     * What the export makes of a peer: the rule with the longest prefix that its address has decides.
     *
     * @throws StoreException of ACCES if no rule admits it
     */
    public ClientAccess admit(CallOrigin origin) throws StoreException {
        Optional<ExportOptions> options = rules.stream()
                .filter(rule -> rule.clients().contains(origin.address().getAddress()))
                .map(ClientRule::options)
                .findFirst();
        if (options.isEmpty() || !options.get().allowPort(origin.address().getPort())) {
            throw new StoreException(Failure.ACCES, this + " is not exported to " + origin.address());
        }
        return new ClientAccess(
                options.get().actingFor(origin.claimed()), options.get().readOnly());
    }

    @Override
    public String toString() {
        return definition.directory().toString();
    }
}
