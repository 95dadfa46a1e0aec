// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.Component4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Dirlist4;
import org.emplace.samples.nfs.protocol.v4.Entry4;
import org.emplace.samples.nfs.protocol.v4.Fattr4;
import org.emplace.samples.nfs.protocol.v4.Nfs4CompoundOperations;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Readdir4Args;
import org.emplace.samples.nfs.protocol.v4.Readdir4Res;
import org.emplace.samples.nfs.protocol.v4.Readdir4Resok;
import org.emplace.samples.nfs.protocol.v4.Verifier4;
import org.emplace.samples.nfs.server.export.ExportTree.Node;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.DirectoryEntry;
import org.emplace.samples.nfs.server.store.Store.ListingResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrOpaque;
import org.jspecify.annotations.Nullable;

/** READDIR. */
interface ListingOperations extends Nfs4CompoundOperations<Compound>, Operations {
    @Override
    default Readdir4Res readdir(Readdir4Args args, Compound compound) {
        return answer(
                NfsOpnum4.READDIR,
                compound,
                () -> {
                    Addressed directory = compound.current();
                    directory.requireDirectory();
                    if (args.cookie() > 0 && args.cookie() <= Entries.RESERVED_COOKIES) {
                        throw new StoreException(Failure.BAD_COOKIE, "a cookie that no listing returns");
                    }
                    Entries entries = new Entries(
                            attributes(),
                            args.attrRequest(),
                            Math.min(args.maxcount(), compound.room().left()));
                    Readdir4Resok listed = directory instanceof Addressed.Stored stored
                            ? list(stored, args, entries)
                            : list((Addressed.AboveExports) directory, args, entries, compound);
                    if (listed.reply().entries().isEmpty() && !listed.reply().eof()) {
                        throw new StoreException(Failure.TOOSMALL, "the caller has no room for one entry");
                    }
                    return new Readdir4Res.Nfs4Ok(listed);
                },
                Readdir4Res.Default::new);
    }

    private static Readdir4Resok list(Addressed.Stored directory, Readdir4Args args, Entries entries)
            throws IOException, StatusException {
        AddressedFile file = directory.file();
        long cookie = args.cookie() == 0 ? 0 : args.cookie() - Entries.RESERVED_COOKIES;
        if (cookie < 0) {
            throw new StoreException(Failure.BAD_COOKIE, "a cookie that no listing has returned");
        }
        ListingResult listed = file.store()
                .list(
                        file.caller(),
                        file.id(),
                        cookie,
                        args.cookieverf().value().asReadOnlyBuffer().getLong(),
                        entries.needFiles(),
                        entry -> entries.take(directory, entry));
        return entries.result(listed.verifier(), listed.end());
    }

    /** Lists the exports and further directories that the sender may see. Cookies are positions. */
    private Readdir4Resok list(Addressed.AboveExports directory, Readdir4Args args, Entries entries, Compound compound)
            throws IOException, StatusException {
        long position = Entries.RESERVED_COOKIES;
        boolean end = true;
        for (Map.Entry<FileName, Node> each : directory.node().below().entrySet()) {
            position++;
            if (position > args.cookie()) {
                try {
                    Addressed target = Addressed.at(each.getValue(), program().exports(), compound.origin());
                    // What lies in an export is shown only by a flavor that it lists.
                    Addressed shown = target.isByListedFlavor() ? target : new Addressed.AboveExports(each.getValue());
                    end = entries.take(shown, each.getKey(), position);
                } catch (StoreException notForThem) {
                    continue;
                } catch (IOException failed) {
                    end = entries.takeFailed(each.getKey(), position);
                }
                if (!end) {
                    break;
                }
            }
        }
        return entries.result(0, end);
    }

    /** The entries of one reply. */
    final class Entries {
        /** Cookies 0, 1 and 2 have meanings of their own (RFC 8881 section 18.23.3). */
        static final int RESERVED_COOKIES = 2;

        /** The most entries that one call looks at. */
        private static final int MOST = 2048;

        /** Status, verifier, the end of the list and whether it is the end of the directory. */
        private static final int FRAME = 4 + 8 + 4 + 4;

        /** Of an entry: that there is one, its cookie, and the lengths of its name, mask and values. */
        private static final int AROUND_ENTRY = 4 + 8 + 4 + 4 + 4;

        private static final Bitmap4 WITHOUT_FILE =
                Bitmap4.of(Constants.FATTR4_RDATTR_ERROR, Constants.FATTR4_FILEID, Constants.FATTR4_MOUNTED_ON_FILEID);

        private final Attributes attributes;
        private final Bitmap4 wanted;
        /** Not found out for each entry, because the client chooses how many bits there are. */
        private final boolean needsFiles;

        private final List<Entry4> entries = new ArrayList<>();
        private long room;
        private @Nullable Exception failure;

        /** @param room for the whole result */
        Entries(Attributes attributes, Bitmap4 wanted, long room) {
            this.attributes = attributes;
            this.wanted = wanted;
            this.needsFiles = wanted.bits().stream().anyMatch(number -> !WITHOUT_FILE.contains(number));
            this.room = room - FRAME;
        }

        /** Whether attributes are wanted that the directory does not have. */
        boolean needFiles() {
            return needsFiles;
        }

        /** Takes an entry of a store's directory. Returns false if there is no room for it. */
        boolean take(Addressed.Stored directory, DirectoryEntry entry) {
            if (isDirectoryItselfOrParent(entry.name())) {
                return true;
            }
            try {
                long cookie = entry.cookie() + RESERVED_COOKIES;
                return entry.file().isPresent()
                        ? add(
                                entry.name(),
                                cookie,
                                attributes.of(
                                        directory.other(entry.file().get()),
                                        entry.file().get().attributes(),
                                        wanted))
                        : add(entry.name(), cookie, withoutFile(entry.number()));
            } catch (IOException | StatusException e) {
                failure = e;
                return false;
            }
        }

        boolean take(Addressed target, FileName name, long cookie) throws IOException {
            return add(name, cookie, attributes.of(target, target.attributes(), wanted));
        }

        /** Takes an export that fails: the others are listed whatever happens to it. */
        boolean takeFailed(FileName name, long cookie) {
            return !wanted.contains(Constants.FATTR4_RDATTR_ERROR)
                    || add(name, cookie, Attributes.unknown(Nfsstat4.NFS4ERR_IO));
        }

        private Fattr4 withoutFile(long number) throws StatusException {
            if (!needsFiles) {
                return Attributes.numbered(wanted, number);
            }
            if (!wanted.contains(Constants.FATTR4_RDATTR_ERROR)) {
                throw new StatusException(Nfsstat4.NFS4ERR_ACCESS, "attributes of an entry that may not be seen");
            }
            return Attributes.unknown(Nfsstat4.NFS4ERR_ACCESS);
        }

        private boolean add(FileName name, long cookie, Fattr4 values) {
            long mask = (long) values.attrmask().bits().words().size() * Integer.BYTES;
            long length = AROUND_ENTRY
                    + padded(name.length())
                    + mask
                    + padded(values.attrVals().length());
            if (length > room || entries.size() == MOST) {
                return false;
            }
            room -= length;
            return entries.add(new Entry4(cookie, new Component4(XdrOpaque.of(name.bytes())), values));
        }

        private static long padded(int length) {
            return (length + 3L) & ~3;
        }

        private static boolean isDirectoryItselfOrParent(FileName name) {
            return name.length() <= 2 && name.toString().chars().allMatch(c -> c == '.');
        }

        Readdir4Resok result(long verifier, boolean end) throws IOException, StatusException {
            if (failure instanceof IOException known) {
                throw known;
            } else if (failure instanceof StatusException known) {
                throw known;
            }
            return new Readdir4Resok(
                    new Verifier4(XdrOpaque.copyOf(
                            ByteBuffer.allocate(Long.BYTES).putLong(verifier).flip())),
                    new Dirlist4(entries, end));
        }
    }
}
