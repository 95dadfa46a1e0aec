// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Dirlist3;
import org.emplace.samples.nfs.protocol.Dirlistplus3;
import org.emplace.samples.nfs.protocol.Entry3;
import org.emplace.samples.nfs.protocol.Entryplus3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Nfs3Server;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Readdir3Args;
import org.emplace.samples.nfs.protocol.Readdir3Res;
import org.emplace.samples.nfs.protocol.Readdir3Resfail;
import org.emplace.samples.nfs.protocol.Readdir3Resok;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Resfail;
import org.emplace.samples.nfs.protocol.Readdirplus3Resok;
import org.emplace.samples.nfs.server.program.AddressedFile;
import org.emplace.samples.nfs.server.store.Store.EntryVisitor;
import org.emplace.samples.nfs.server.store.Store.ListingResult;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrString;

/** READDIR and READDIRPLUS. */
interface DirectoryProcedures extends Nfs3Server, Calls {
    @Override
    default Readdir3Res readdir(Readdir3Args args, ServerCall call) {
        return answer(
                "READDIR",
                () -> new Readdir3Res.Nfs3Ok(entries(args, call)),
                status -> new Readdir3Res.Default(status, new Readdir3Resfail(attributesNow(args.dir(), call))));
    }

    private Readdir3Resok entries(Readdir3Args args, ServerCall call) throws IOException {
        ListingBudget budget = ListingBudget.ofReaddir(args.count());
        List<Entry3> entries = new ArrayList<>();
        AddressedFile directory = target(args.dir(), call);
        ListingResult listed = list(directory, args.cookie(), args.cookieverf(), false, entries, entry -> {
            if (!budget.take(entry.name().length(), 0)) {
                return false;
            }
            return entries.add(
                    new Entry3(entry.number(), XdrString.of(entry.name().bytes()), entry.cookie()));
        });
        return new Readdir3Resok(
                Optional.of(ToWire.attributes(directory, listed.directory())),
                ToWire.cookieVerifier(listed.verifier()),
                new Dirlist3(entries, listed.end()));
    }

    @Override
    default Readdirplus3Res readdirplus(Readdirplus3Args args, ServerCall call) {
        return answer(
                "READDIRPLUS",
                () -> new Readdirplus3Res.Nfs3Ok(entriesPlus(args, call)),
                status ->
                        new Readdirplus3Res.Default(status, new Readdirplus3Resfail(attributesNow(args.dir(), call))));
    }

    private Readdirplus3Resok entriesPlus(Readdirplus3Args args, ServerCall call) throws IOException {
        ListingBudget budget = ListingBudget.ofReaddirplus(args.dircount(), args.maxcount());
        List<Entryplus3> entries = new ArrayList<>();
        AddressedFile directory = target(args.dir(), call);
        ListingResult listed = list(directory, args.cookie(), args.cookieverf(), true, entries, entry -> {
            Optional<Fattr3> attributes = entry.file().flatMap(found -> ToWire.attributes(directory, found));
            Optional<NfsFh3> handle = entry.file().map(found -> ToWire.handle(directory, found));
            int handleLength = handle.map(h -> h.data().length()).orElse(-1);
            if (!budget.take(entry.name().length(), ListingBudget.plus(attributes.isPresent(), handleLength))) {
                return false;
            }
            return entries.add(new Entryplus3(
                    entry.number(), XdrString.of(entry.name().bytes()), entry.cookie(), attributes, handle));
        });
        return new Readdirplus3Resok(
                Optional.of(ToWire.attributes(directory, listed.directory())),
                ToWire.cookieVerifier(listed.verifier()),
                new Dirlistplus3(entries, listed.end()));
    }

    private static ListingResult list(
            AddressedFile directory,
            long cookie,
            Cookieverf3 verifier,
            boolean withFiles,
            List<?> entries,
            EntryVisitor visitor)
            throws IOException {
        if (cookie < 0) {
            throw new StoreException(Failure.BAD_COOKIE, "a cookie that no listing has returned");
        }
        ListingResult listed = directory
                .store()
                .list(
                        directory.caller(),
                        directory.id(),
                        cookie,
                        FromWire.verifier(verifier.value()),
                        withFiles,
                        visitor);
        if (entries.isEmpty() && !listed.end()) {
            throw new StoreException(Failure.TOOSMALL, "the caller has no room for one entry");
        }
        return listed;
    }

    /**
     * The room for entries in one reply, in encoded bytes (RFC 1813 sections 3.3.16 and 3.3.17). READDIRPLUS has two limits: one for ids, names
     * and cookies, the other for the whole result.
     */
    final class ListingBudget {
        /** The longest reply, whatever room the caller has. */
        private static final long LARGEST = 1 << 20;

        /** The most entries, and the most attributes of files, that one call looks at. */
        private static final int MOST_ENTRIES = 8192;

        private static final int MOST_FILES = 2048;

        private static final int FLAG = 4;
        private static final int ATTRIBUTES = 84;
        private static final int VERIFIER = 8;

        /** The directory's attributes, the verifier, the end of the list and whether it is the end of the directory. */
        private static final int FRAME = FLAG + ATTRIBUTES + VERIFIER + FLAG + FLAG;

        private static final int COUNT = 4;
        private static final int HYPER = 8;

        private long names;
        private long all;
        private int entries;

        private ListingBudget(long names, long all, int entries) {
            this.entries = entries;
            this.names = names;
            this.all = Math.min(all, LARGEST) - FRAME;
        }

        static ListingBudget ofReaddir(long count) {
            return new ListingBudget(Long.MAX_VALUE, count, MOST_ENTRIES);
        }

        static ListingBudget ofReaddirplus(long dircount, long maxcount) {
            return new ListingBudget(dircount, maxcount, MOST_FILES);
        }

        /** The encoded bytes of an entry's attributes and handle. The length is negative if there is no handle. */
        static int plus(boolean attributes, int handleLength) {
            return FLAG + (attributes ? ATTRIBUTES : 0) + FLAG + (handleLength < 0 ? 0 : COUNT + padded(handleLength));
        }

        /** Takes the room for an entry. Returns false and takes nothing if there is not enough. */
        boolean take(int nameLength, int plus) {
            int name = HYPER + COUNT + padded(nameLength) + HYPER;
            int whole = FLAG + name + plus;
            if (name > names || whole > all || entries == 0) {
                return false;
            }
            names -= name;
            all -= whole;
            entries--;
            return true;
        }

        private static int padded(int length) {
            return (length + 3) & ~3;
        }
    }
}
