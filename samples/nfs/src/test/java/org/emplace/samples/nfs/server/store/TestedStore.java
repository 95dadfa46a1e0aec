// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;
import org.emplace.samples.nfs.server.store.Store.CreationResult;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.Store.ListingResult;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.RenameResult;
import org.emplace.samples.nfs.server.store.Store.Stability;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.Store.WriteResult;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.Payload;

/** A store under test, with the steps that tests share. Acts as the owner of the root. */
public final class TestedStore implements AutoCloseable {
    private final StoreFixture fixture;
    private Store store;

    /** Opens a store over the files of a fixture. */
    public TestedStore(StoreFixture fixture) throws IOException {
        this.fixture = fixture;
        this.store = fixture.open();
    }

    public Store store() {
        return store;
    }

    public boolean can(StoreFixture.Feature feature) {
        return fixture.features().contains(feature);
    }

    public int many() {
        return fixture.many();
    }

    public Limits limits() {
        return store.limits();
    }

    /** Closes the store and opens another one over the same files. */
    public void restart() throws IOException {
        store.close();
        store = fixture.open();
    }

    @Override
    public void close() throws IOException {
        store.close();
        fixture.close();
    }

    public Caller caller() throws IOException {
        FileAttributes root = store.root().attributes();
        return new Caller(root.uid(), root.gid(), Set.of());
    }

    public FileId root() throws IOException {
        return store.root().id();
    }

    /** The file at the end of a path from the root. */
    public FileId lookup(String... names) throws IOException {
        FileId file = root();
        for (String name : names) {
            file = lookup(file, name);
        }
        return file;
    }

    public FileId lookup(FileId directory, String name) throws IOException {
        return store.lookup(caller(), directory, FileName.of(name)).id();
    }

    public FileId create(FileId directory, String name) throws IOException {
        return create(directory, name, new Creation.Guarded(AttributeChange.NONE))
                .id();
    }

    public CreationResult create(FileId directory, String name, Creation how) throws IOException {
        return store.create(caller(), directory, FileName.of(name), how);
    }

    /** Creates a file with a text. */
    public FileId create(FileId directory, String name, String text) throws IOException {
        FileId file = create(directory, name);
        write(file, 0, text);
        return file;
    }

    public FileId makeDirectory(FileId directory, String name) throws IOException {
        return store.makeDirectory(caller(), directory, FileName.of(name), AttributeChange.NONE)
                .id();
    }

    public FileId makeLink(FileId directory, String name, String target) throws IOException {
        byte[] bytes = target.getBytes(StandardCharsets.UTF_8);
        return store.makeSymbolicLink(caller(), directory, FileName.of(name), bytes, AttributeChange.NONE)
                .id();
    }

    public CreationResult link(FileId file, FileId directory, String name) throws IOException {
        return store.link(caller(), file, directory, FileName.of(name));
    }

    public WeakCacheConsistency remove(FileId directory, String name) throws IOException {
        return store.remove(caller(), directory, FileName.of(name));
    }

    public WeakCacheConsistency removeDirectory(FileId directory, String name) throws IOException {
        return store.removeDirectory(caller(), directory, FileName.of(name));
    }

    public RenameResult rename(FileId from, String oldName, FileId to, String newName) throws IOException {
        return store.rename(caller(), from, FileName.of(oldName), to, FileName.of(newName));
    }

    public WriteResult write(FileId file, long offset, String text) throws IOException {
        return write(file, offset, text.getBytes(StandardCharsets.UTF_8));
    }

    public WriteResult write(FileId file, long offset, byte[] bytes) throws IOException {
        return store.write(caller(), file, offset, Payload.of(ByteBuffer.wrap(bytes)), Stability.UNSTABLE);
    }

    /** The whole content of a file. */
    public String read(FileId file) throws IOException {
        byte[] content = read(file, 0, Math.toIntExact(attributes(file).size()));
        return new String(content, StandardCharsets.UTF_8);
    }

    /** The content of a file from an offset on. */
    public byte[] read(FileId file, long offset, int most) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(most);
        try (ReadableFile reading = store.read(caller(), file)) {
            int count = reading.read(bytes, offset);
            assertThat(bytes.position()).isEqualTo(count);
        }
        byte[] result = new byte[bytes.position()];
        bytes.flip().get(result);
        return result;
    }

    public FileAttributes attributes(FileId file) throws IOException {
        return store.file(file).attributes();
    }

    public WeakCacheConsistency set(FileId file, AttributeChange change) throws IOException {
        return store.setAttributes(caller(), file, change, Optional.empty());
    }

    /** A page of a listing. */
    public record Page(List<DirectoryEntry> entries, ListingResult listed) {
        /** The position of the next page. */
        public long cookie() {
            return entries.get(entries.size() - 1).cookie();
        }

        public List<String> names() {
            return entries.stream().map(e -> e.name().toString()).toList();
        }
    }

    /** The first entries of a directory. */
    public Page list(FileId directory, int most) throws IOException {
        return list(directory, 0, 0, most);
    }

    /** A limited number of entries after a cookie. */
    public Page list(FileId directory, long cookie, long verifier, int most) throws IOException {
        List<DirectoryEntry> entries = new ArrayList<>();
        ListingResult listed = store.list(
                caller(), directory, cookie, verifier, true, entry -> entries.size() < most && entries.add(entry));
        return new Page(entries, listed);
    }

    /** All names of a directory, listed in pages. */
    public List<String> names(FileId directory, int pageSize) throws IOException {
        List<String> names = new ArrayList<>();
        Page page = list(directory, pageSize);
        names.addAll(page.names());
        while (!page.listed().end()) {
            page = list(directory, page.cookie(), page.listed().verifier(), pageSize);
            names.addAll(page.names());
        }
        return names;
    }

    /** Asserts that an operation fails for one of these reasons. */
    public static void assertFailure(ThrowingCallable operation, Failure... reasons) {
        assertThatThrownBy(operation)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.failure()).as(e.toString()).isIn((Object[]) reasons));
    }

    public static AttributeChange size(long size) {
        AttributeChange none = AttributeChange.NONE;
        return new AttributeChange(
                none.mode(), none.uid(), none.gid(), Optional.of(size), none.accessed(), none.modified());
    }

    public static AttributeChange mode(int mode) {
        return AttributeChange.NONE.withMode(mode);
    }

    public static AttributeChange owner(long uid, long gid) {
        AttributeChange none = AttributeChange.NONE;
        return new AttributeChange(
                none.mode(), Optional.of(uid), Optional.of(gid), none.size(), none.accessed(), none.modified());
    }

    public static AttributeChange times(FileTime accessed, FileTime modified) {
        return times(new NewTime.Given(accessed), new NewTime.Given(modified));
    }

    public static AttributeChange times(NewTime accessed, NewTime modified) {
        AttributeChange none = AttributeChange.NONE;
        return new AttributeChange(none.mode(), none.uid(), none.gid(), none.size(), accessed, modified);
    }
}
