// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.emplace.samples.nfs.server.state.Delegations;
import org.emplace.samples.nfs.server.state.Delegations.Change;
import org.emplace.samples.nfs.server.state.FileKey;
import org.emplace.samples.nfs.server.state.Opens.Share;
import org.emplace.samples.nfs.server.state.StateException;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.Store.RenameResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/**
 * Has conflicting delegations recalled before files are accessed, by any version. If they are not returned after a moment, the operation fails with
 * JUKEBOX, which is DELAY in version 4: clients repeat it. A {@code client} is a client ID, or {@link Delegations#NOBODY}.
 */
public final class DelegationGuard {
    /** Long enough for a client that only has to answer, and short for the thread that waits. */
    private static final Duration MOMENT = Duration.ofMillis(30);

    /** In which the holder of a write delegation tells attributes. */
    private static final Duration FOR_AN_ANSWER = Duration.ofMillis(250);

    /** So that threads are left for the calls that return delegations. */
    private static final int MOST_WAITING = 4;

    private final Optional<Delegations> delegations;
    private final Semaphore waiting = new Semaphore(MOST_WAITING);

    /** @param delegations empty if clients have none */
    public DelegationGuard(Optional<Delegations> delegations) {
        this.delegations = delegations;
    }

    @FunctionalInterface
    private interface Access<R> {
        R begin() throws StateException;
    }

    /** Before an OPEN. */
    public void open(long client, FileKey file, Share share) throws StoreException {
        if (mayConflict()) {
            Delegations all = delegations.orElseThrow();
            attempt(all, file, () -> {
                all.open(client, file, share);
                return file;
            });
        }
    }

    /** Before contents of a file are read. */
    public void read(long client, AddressedFile file) throws StoreException {
        if (mayConflict()) {
            Delegations all = delegations.orElseThrow();
            attempt(all, file.key(), () -> {
                all.read(client, file.key());
                return file;
            });
        }
    }

    /**
     * The attributes of a file, of which a client may have changed size and times without telling the server. If it does not tell them when asked, its
     * delegation is recalled. The time of its change is then the present: the server cannot know when it was (RFC 8881 section 10.4.3).
     */
    public FileAttributes attributes(long client, AddressedFile file) throws IOException {
        OptionalLong size = OptionalLong.empty();
        if (mayConflict()) {
            try {
                size = answer(delegations.orElseThrow().inquire(client, file.key()));
            } catch (ExecutionException | TimeoutException notTold) {
                read(client, file);
            }
        }
        FileAttributes stored = file.store().file(file.id()).attributes();
        return size.isPresent() ? stored.withContents(size.getAsLong(), FileTime.from(Instant.now())) : stored;
    }

    private OptionalLong answer(CompletableFuture<OptionalLong> answer)
            throws StoreException, ExecutionException, TimeoutException {
        boolean waits = !answer.isDone();
        if (waits && !waiting.tryAcquire()) {
            throw new StoreException(Failure.JUKEBOX, "too many calls wait for clients");
        }
        try {
            return answer.get(FOR_AN_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Failure.JUKEBOX, "the server ends");
        } finally {
            if (waits) {
                waiting.release();
            }
        }
    }

    /** Changes a file's contents, attributes or names. */
    public <R> R change(long client, AddressedFile file, FileOperation<R> operation) throws IOException {
        return change(client, Optional.of(file.key()), operation);
    }

    /** Removes or replaces the entry of a directory, if there is one. */
    public <R> R changeEntry(long client, AddressedFile directory, FileName name, FileOperation<R> operation)
            throws IOException {
        return change(client, mayConflict() ? entry(directory, name) : Optional.empty(), operation);
    }

    /** Renames an entry of a directory, if need be in place of another one. */
    public RenameResult rename(long client, AddressedFile from, FileName oldName, AddressedFile to, FileName newName)
            throws IOException {
        return changeEntry(
                client,
                from,
                oldName,
                () -> changeEntry(
                        client,
                        to,
                        newName,
                        () -> from.store().rename(from.caller(), from.id(), oldName, from.beside(to), newName)));
    }

    /** Creates an entry of a directory, or changes the size of the file that it names. */
    public <R> R changeCreated(long client, AddressedFile directory, FileName name, FileOperation<R> operation)
            throws IOException {
        return change(client, delegations.isPresent() ? entry(directory, name) : Optional.empty(), operation);
    }

    private boolean mayConflict() {
        return delegations.isPresent() && delegations.get().exist();
    }

    /** The file of an entry. Empty if there is none, or the operation itself will fail. */
    private static Optional<FileKey> entry(AddressedFile directory, FileName name) throws IOException {
        try {
            return Optional.of(directory.key(directory
                    .store()
                    .lookup(directory.caller(), directory.id(), name)
                    .id()));
        } catch (StoreException notFound) {
            return Optional.empty();
        }
    }

    private <R> R change(long client, Optional<FileKey> file, FileOperation<R> operation) throws IOException {
        if (delegations.isEmpty() || file.isEmpty()) {
            return operation.run();
        }
        Delegations all = delegations.get();
        Change change = attempt(all, file.get(), () -> all.change(client, file.get()));
        try {
            return operation.run();
        } finally {
            change.end();
        }
    }

    private <R> R attempt(Delegations all, FileKey file, Access<R> access) throws StoreException {
        try {
            return access.begin();
        } catch (StateException recalled) {
            awaitReturn(all, file);
        }
        try {
            return access.begin();
        } catch (StateException notReturned) {
            throw new StoreException(Failure.JUKEBOX, "a delegation of the file is being recalled");
        }
    }

    private void awaitReturn(Delegations all, FileKey file) {
        if (!waiting.tryAcquire()) {
            return;
        }
        try {
            all.awaitReturn(file, MOMENT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiting.release();
        }
    }
}
