// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import static org.emplace.samples.nfs.server.store.hadoop.HdfsFailures.translated;

import java.io.IOException;
import java.net.URI;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store;
import org.emplace.samples.nfs.server.store.Store.AccessRights;
import org.emplace.samples.nfs.server.store.Store.FileOperation;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.Store.ReadableFile;
import org.emplace.samples.nfs.server.store.Store.WeakCacheConsistency;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.hadoop.HdfsTree.Located;
import org.emplace.xdr.Payload;

/**
 * A store over a directory of HDFS. Every caller acts as the server's Hadoop user, to whom the name node grants or denies access. Its
 * limits:
 *
 * <ul>
 *   <li>Ids are numbers of inodes. They survive renames and restarts, and end with their files. Formatting a name node starts the
 *       numbers again.
 *   <li>Files are written from beginning to end. Changing written bytes fails with NOTSUPP. A file can be truncated and appended to.
 *   <li>While a file is being written, nobody else can write to it, in HDFS either.
 *   <li>There are no links, special files, colons in names, set-id bits, and no times of the last change of attributes.
 * </ul>
 */
public final class HdfsStore implements Store {
    /** HDFS's default (dfs.namenode.fs-limits.max-blocks-per-file). */
    private static final long MOST_BLOCKS = 10_000;

    private static final int LISTED_NAMES = 1 << 20;
    private static final int BYTES_OF_A_NAME = 512;

    /** Never changes, because a cookie is the number of an inode and so stays valid. */
    private static final long COOKIES = 0x696e6f6465735f31L;

    /** The rights that a read-only store grants. */
    private static final int READING = AccessRights.READ | AccessRights.LOOKUP | AccessRights.EXECUTE;

    private final DistributedFileSystem files;
    private final DFSClient client;
    private final Limits limits;
    private final Readers<Long> readers;
    private final Writers writers;
    private final HdfsTree tree;
    private final HdfsContents contents;
    private final HdfsChanges changes;
    private final Listings listings;

    private HdfsStore(DistributedFileSystem files, String directory, Accounts accounts, HadoopOptions options)
            throws IOException {
        this.files = files;
        this.client = files.getClient();
        long largestFile = MOST_BLOCKS * client.getConf().getDefaultBlockSize();
        this.readers = new Readers<>(inode -> files.open(HdfsTree.hadoopPath(inode)), options);
        this.writers = new Writers(files, readers, options);
        this.tree = new HdfsTree(client, accounts, writers, directory);
        this.contents = new HdfsContents(client, tree, readers, writers, largestFile);
        this.changes = new HdfsChanges(client, tree, contents, accounts);
        this.listings = new Listings(tree, COOKIES, true, Listings.fitting(LISTED_NAMES, BYTES_OF_A_NAME));
        this.limits = new Limits(
                true, false, false, false, !options.readOnly(), options.readOnly(), 1, HdfsNames.LONGEST, largestFile);
    }

    /**
     * A store of everything in a directory of HDFS. Users and groups have the numbers that this machine gives their names.
     *
     * @param directory {@code hdfs://host:port/path}
     * @throws IOException also if the file system is not HDFS
     */
    public static HdfsStore open(URI directory, Configuration configuration, HadoopOptions options) throws IOException {
        Configuration own = new Configuration(configuration);
        // Clients ask for modes that their own umask has been applied to.
        own.set("fs.permissions.umask-mode", "000");
        FileSystem files = FileSystem.newInstance(directory, own);
        try {
            if (files instanceof DistributedFileSystem hdfs) {
                String path = directory.getPath().isEmpty() ? "/" : directory.getPath();
                return new HdfsStore(hdfs, path, Accounts.ofThisMachine(), options);
            }
            throw new IOException("cannot export " + directory + ": Hadoop's configuration opens it with "
                    + files.getClass().getName() + ", which is not HDFS");
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public Space space() throws IOException {
        return translated(() -> {
            FsStatus status = files.getStatus();
            long left = limits.readOnly() ? 0 : Math.min(status.getRemaining(), status.getCapacity());
            return new Space(status.getCapacity(), left, left, 0, 0);
        });
    }

    @Override
    public FoundFile root() throws IOException {
        return translated(() -> tree.root().found());
    }

    @Override
    public FoundFile file(FileId file) throws IOException {
        return translated(() -> tree.resolve(file).found());
    }

    @Override
    public FoundFile lookup(Caller caller, FileId directory, FileName name) throws IOException {
        return translated(() -> {
            Located in = tree.resolve(directory).requireDirectory();
            return tree.child(in, HdfsNames.of(name)).found();
        });
    }

    @Override
    public AccessResult access(Caller caller, FileId file, int asked) throws IOException {
        return translated(() -> {
            Located found = tree.resolve(file);
            int rights = found.attributes().isDirectory() ? directoryRights(found) : fileRights(found);
            return new AccessResult(found.attributes(), rights & asked & (limits.readOnly() ? READING : ~0));
        });
    }

    private int directoryRights(Located directory) throws IOException {
        int changing = AccessRights.MODIFY | AccessRights.EXTEND | AccessRights.DELETE;
        return allowed(directory, FsAction.ALL)
                ? AccessRights.READ | AccessRights.LOOKUP | changing
                : (allowed(directory, FsAction.READ) ? AccessRights.READ : 0)
                        | (allowed(directory, FsAction.EXECUTE) ? AccessRights.LOOKUP : 0)
                        | (allowed(directory, FsAction.WRITE_EXECUTE) ? changing : 0);
    }

    /** HDFS has no right to execute files. Whoever can read a file with an execute bit can run it. */
    private int fileRights(Located file) throws IOException {
        boolean both = allowed(file, FsAction.READ_WRITE);
        boolean reads = both || allowed(file, FsAction.READ);
        boolean writes = both || allowed(file, FsAction.WRITE);
        boolean program = (file.attributes().mode() & 0111) != 0;
        return (reads ? AccessRights.READ | (program ? AccessRights.EXECUTE : 0) : 0)
                | (writes ? AccessRights.MODIFY | AccessRights.EXTEND : 0);
    }

    private boolean allowed(Located file, FsAction action) throws IOException {
        try {
            client.checkAccess(file.path(), action);
            return true;
        } catch (AccessControlException e) {
            return false;
        }
    }

    @Override
    public byte[] readLink(FileId link) throws IOException {
        return translated(() -> {
            tree.resolve(link);
            throw new StoreException(Failure.NOTSUPP, "HDFS has no symbolic links");
        });
    }

    @Override
    public ReadableFile read(Caller caller, FileId file) throws IOException {
        return translated(() -> contents.read(caller.peer(), file));
    }

    @Override
    public WriteResult write(Caller caller, FileId file, long offset, Payload data, Stability stability)
            throws IOException {
        return changing(() -> contents.write(caller.peer(), file, offset, data, stability));
    }

    @Override
    public CommitResult commit(Caller caller, FileId file) throws IOException {
        return changing(() -> contents.commit(file));
    }

    @Override
    public WeakCacheConsistency setAttributes(
            Caller caller, FileId file, AttributeChange change, Optional<FileTime> guard) throws IOException {
        return changing(() -> changes.set(caller.peer(), file, change, guard));
    }

    @Override
    public CreationResult create(Caller caller, FileId directory, FileName name, Creation how) throws IOException {
        return changing(() -> changes.create(caller.peer(), directory, name, how));
    }

    @Override
    public CreationResult makeDirectory(Caller caller, FileId directory, FileName name, AttributeChange wanted)
            throws IOException {
        return changing(() -> changes.makeDirectory(caller.peer(), directory, name, wanted));
    }

    @Override
    public WeakCacheConsistency remove(Caller caller, FileId directory, FileName name) throws IOException {
        return changing(() -> changes.remove(directory, name));
    }

    @Override
    public WeakCacheConsistency removeDirectory(Caller caller, FileId directory, FileName name) throws IOException {
        return changing(() -> changes.removeDirectory(directory, name));
    }

    @Override
    public RenameResult rename(
            Caller caller, FileId fromDirectory, FileName oldName, FileId toDirectory, FileName newName)
            throws IOException {
        return changing(() -> changes.rename(fromDirectory, oldName, toDirectory, newName));
    }

    private <T> T changing(FileOperation<T> operation) throws IOException {
        if (limits.readOnly()) {
            throw new StoreException(Failure.ROFS, "the store is read only");
        }
        return translated(operation);
    }

    @Override
    public ListingResult list(
            Caller caller, FileId directory, long cookie, long verifier, boolean withFiles, EntryVisitor visitor)
            throws IOException {
        return translated(() -> listings.list(caller.peer(), directory, cookie, verifier, withFiles, visitor));
    }

    @Override
    public void close() throws IOException {
        writers.close();
        readers.close();
        files.close();
    }
}
