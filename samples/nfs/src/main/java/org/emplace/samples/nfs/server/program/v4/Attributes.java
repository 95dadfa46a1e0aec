// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.emplace.samples.nfs.protocol.v4.Bitmap4;
import org.emplace.samples.nfs.protocol.v4.Constants;
import org.emplace.samples.nfs.protocol.v4.Fattr4;
import org.emplace.samples.nfs.protocol.v4.Fsid4;
import org.emplace.samples.nfs.protocol.v4.NfsFtype4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Nfstime4;
import org.emplace.samples.nfs.protocol.v4.Settime4;
import org.emplace.samples.nfs.protocol.v4.Specdata4;
import org.emplace.samples.nfs.server.program.CallData;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.AttributeChange.NewTime;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.Store.Limits;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.jspecify.annotations.Nullable;

/** The attributes of files (RFC 8881 section 5): one table says how each is written and read. */
final class Attributes {
    private static final int MOST = 96;
    private static final int MODE_BITS = 07777;
    private static final long LARGEST_ID = 0xffffffffL;
    private static final int MOST_DIGITS = 10;
    private static final long NANOSECONDS = 1_000_000_000L;

    /** What OPEN takes, an attribute of RFC 9754. */
    private static final int OPEN_ARGUMENTS = 86;

    /**
     * Its value, by the bits of each part: share_access and share_deny; any delegation, none, or no more; all claims but those of delegations before a
     * restart; all ways to create.
     */
    private static final List<Bitmap4> OPENS = List.of(
            Bitmap4.of(1, 2, 3),
            Bitmap4.of(0, 1, 2, 3),
            Bitmap4.of(3, 4, 5),
            Bitmap4.of(0, 1, 2, 4, 5),
            Bitmap4.of(0, 1, 2, 3));

    private final long leaseSeconds;
    private final @Nullable Attribute[] table = new Attribute[MOST];
    private final Bitmap4 supported;
    private final Bitmap4 whenExclusive;

    /** @param leaseSeconds the lease_time of all files */
    Attributes(long leaseSeconds) {
        this.leaseSeconds = leaseSeconds;
        Stream.of(ofProtocol(), ofFiles(), ofFileSystems(), toSet())
                .flatMap(List::stream)
                .forEach(each -> table[each.number] = each);
        this.supported = numbers(true);
        this.whenExclusive =
                numbers(false).without(Constants.FATTR4_TIME_ACCESS_SET).without(Constants.FATTR4_TIME_MODIFY_SET);
    }

    private Bitmap4 numbers(boolean withThoseThatCannotBeSet) {
        return Bitmap4.of(Arrays.stream(table)
                .filter(each -> each != null && (withThoseThatCannotBeSet || each.reader != null))
                .mapToInt(each -> each.number)
                .toArray());
    }

    /** Writes the value of an attribute. */
    @FunctionalInterface
    private interface Writer {
        void write(XdrEncoder out, Addressed of, FileAttributes file) throws IOException;
    }

    /** Reads the value that an attribute shall get. */
    @FunctionalInterface
    private interface Reader {
        void read(XdrDecoder in, AttributeDraft draft) throws XdrException, StoreException, StatusException;
    }

    private record Attribute(
            int number, @Nullable Writer writer, @Nullable Reader reader) {}

    private static Attribute attribute(int number, Writer writer) {
        return new Attribute(number, writer, null);
    }

    private static Attribute flag(int number, boolean value) {
        return attribute(number, (out, of, file) -> out.writeBoolean(value));
    }

    private static Attribute limit(int number, ToLongFunction<Limits> value) {
        return attribute(number, (out, of, file) -> out.writeHyper(value.applyAsLong(of.limits())));
    }

    private List<Attribute> ofProtocol() {
        return List.of(
                attribute(Constants.FATTR4_SUPPORTED_ATTRS, (out, of, file) -> supported.encode(out)),
                attribute(Constants.FATTR4_FH_EXPIRE_TYPE, (out, of, file) -> out.writeInt(Constants.FH4_PERSISTENT)),
                attribute(Constants.FATTR4_LEASE_TIME, (out, of, file) -> out.writeUnsignedInt(leaseSeconds)),
                attribute(Constants.FATTR4_RDATTR_ERROR, (out, of, file) -> Nfsstat4.NFS4_OK.encode(out)),
                attribute(Constants.FATTR4_SUPPATTR_EXCLCREAT, (out, of, file) -> whenExclusive.encode(out)),
                attribute(OPEN_ARGUMENTS, (out, of, file) -> OPENS.forEach(part -> part.encode(out))));
    }

    private static List<Attribute> ofFiles() {
        return List.of(
                attribute(
                        Constants.FATTR4_TYPE,
                        (out, of, file) -> NfsFtype4.of(file.type().number()).encode(out)),
                attribute(Constants.FATTR4_CHANGE, (out, of, file) -> out.writeHyper(change(file))),
                attribute(Constants.FATTR4_FILEHANDLE, (out, of, file) -> out.writeOpaque(of.handle())),
                attribute(Constants.FATTR4_FILEID, (out, of, file) -> out.writeHyper(file.number())),
                attribute(Constants.FATTR4_MOUNTED_ON_FILEID, (out, of, file) -> out.writeHyper(of.mountedOn(file))),
                attribute(Constants.FATTR4_NUMLINKS, (out, of, file) -> out.writeUnsignedInt(file.links())),
                attribute(
                        Constants.FATTR4_RAWDEV,
                        (out, of, file) -> new Specdata4(file.deviceMajor(), file.deviceMinor()).encode(out)),
                attribute(Constants.FATTR4_SPACE_USED, (out, of, file) -> out.writeHyper(file.used())),
                attribute(
                        Constants.FATTR4_TIME_ACCESS,
                        (out, of, file) -> time(file.accessed()).encode(out)),
                attribute(
                        Constants.FATTR4_TIME_METADATA,
                        (out, of, file) -> time(file.changed()).encode(out)),
                attribute(
                        Constants.FATTR4_TIME_MODIFY,
                        (out, of, file) -> time(file.modified()).encode(out)));
    }

    private static List<Attribute> ofFileSystems() {
        return List.of(
                limitFlag(Constants.FATTR4_LINK_SUPPORT, Limits::hardLinks),
                limitFlag(Constants.FATTR4_SYMLINK_SUPPORT, Limits::symbolicLinks),
                limitFlag(Constants.FATTR4_CANSETTIME, Limits::setsTimes),
                flag(Constants.FATTR4_NAMED_ATTR, false),
                attribute(Constants.FATTR4_FSID, (out, of, file) -> new Fsid4(of.fileSystem(), 0).encode(out)),
                flag(Constants.FATTR4_UNIQUE_HANDLES, true),
                attribute(Constants.FATTR4_ACLSUPPORT, (out, of, file) -> out.writeInt(0)),
                flag(Constants.FATTR4_CASE_INSENSITIVE, false),
                flag(Constants.FATTR4_CASE_PRESERVING, true),
                flag(Constants.FATTR4_CHOWN_RESTRICTED, true),
                flag(Constants.FATTR4_HOMOGENEOUS, true),
                flag(Constants.FATTR4_NO_TRUNC, true),
                attribute(
                        Constants.FATTR4_FILES_AVAIL,
                        (out, of, file) -> out.writeHyper(of.space().freeFiles())),
                attribute(
                        Constants.FATTR4_FILES_FREE,
                        (out, of, file) -> out.writeHyper(of.space().freeFiles())),
                attribute(
                        Constants.FATTR4_FILES_TOTAL,
                        (out, of, file) -> out.writeHyper(of.space().totalFiles())),
                limit(Constants.FATTR4_MAXFILESIZE, Limits::largestFile),
                attribute(
                        Constants.FATTR4_MAXLINK,
                        (out, of, file) ->
                                out.writeUnsignedInt(Math.min(of.limits().mostLinks(), LARGEST_ID))),
                attribute(
                        Constants.FATTR4_MAXNAME,
                        (out, of, file) -> out.writeInt(of.limits().longestName())),
                limit(Constants.FATTR4_MAXREAD, limits -> CallData.LARGEST_TRANSFER),
                limit(Constants.FATTR4_MAXWRITE, limits -> CallData.LARGEST_TRANSFER),
                attribute(
                        Constants.FATTR4_SPACE_AVAIL,
                        (out, of, file) -> out.writeHyper(of.space().available())),
                attribute(
                        Constants.FATTR4_SPACE_FREE,
                        (out, of, file) -> out.writeHyper(of.space().free())),
                attribute(
                        Constants.FATTR4_SPACE_TOTAL,
                        (out, of, file) -> out.writeHyper(of.space().total())),
                attribute(Constants.FATTR4_TIME_DELTA, (out, of, file) -> new Nfstime4(0, 1).encode(out)),
                attribute(
                        Constants.FATTR4_FS_CHARSET_CAP,
                        (out, of, file) -> out.writeInt(Constants.FSCHARSET_CAP4_CONTAINS_NON_UTF8)));
    }

    private interface LimitFlag {
        boolean of(Limits limits);
    }

    private static Attribute limitFlag(int number, LimitFlag value) {
        return attribute(number, (out, of, file) -> out.writeBoolean(value.of(of.limits())));
    }

    private static List<Attribute> toSet() {
        return List.of(
                new Attribute(
                        Constants.FATTR4_SIZE,
                        (out, of, file) -> out.writeHyper(file.size()),
                        (in, draft) -> draft.size(size(in.readHyper()))),
                new Attribute(
                        Constants.FATTR4_MODE,
                        (out, of, file) -> out.writeInt(file.mode()),
                        (in, draft) -> draft.mode(mode(in.readInt()))),
                new Attribute(
                        Constants.FATTR4_OWNER,
                        (out, of, file) -> out.writeOpaque(name(file.uid())),
                        (in, draft) -> draft.uid(number(in.readOpaque(XdrDecoder.UNBOUNDED)))),
                new Attribute(
                        Constants.FATTR4_OWNER_GROUP,
                        (out, of, file) -> out.writeOpaque(name(file.gid())),
                        (in, draft) -> draft.gid(number(in.readOpaque(XdrDecoder.UNBOUNDED)))),
                new Attribute(
                        Constants.FATTR4_TIME_ACCESS_SET,
                        null,
                        (in, draft) -> draft.accessed(newTime(Settime4.decode(in)))),
                new Attribute(
                        Constants.FATTR4_TIME_MODIFY_SET,
                        null,
                        (in, draft) -> draft.modified(newTime(Settime4.decode(in)))));
    }

    /** Changes whenever the file does: the time of its last change. */
    static long change(FileAttributes file) {
        return file.changed().to(TimeUnit.NANOSECONDS);
    }

    private static Nfstime4 time(FileTime time) {
        Instant instant = time.toInstant();
        return new Nfstime4(instant.getEpochSecond(), instant.getNano());
    }

    private static NewTime newTime(Settime4 wanted) throws StoreException {
        if (!(wanted instanceof Settime4.SetToClientTime4 given)) {
            return new NewTime.ServersNow();
        }
        if (given.time().nseconds() >= NANOSECONDS) {
            throw new StoreException(
                    Failure.INVAL, "a time with " + given.time().nseconds() + " nanoseconds");
        }
        long seconds = given.time().seconds();
        if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
            throw new StoreException(Failure.INVAL, "a time " + seconds + " seconds from 1970");
        }
        return new NewTime.Given(
                FileTime.from(Instant.ofEpochSecond(seconds, given.time().nseconds())));
    }

    private static long size(long bytes) throws StoreException {
        if (bytes < 0) {
            throw new StoreException(Failure.FBIG, "a size beyond the largest");
        }
        return bytes;
    }

    private static int mode(int bits) throws StoreException {
        if ((bits & ~MODE_BITS) != 0) {
            throw new StoreException(Failure.INVAL, "a mode with other bits than permissions");
        }
        return bits;
    }

    /** A user or group by number (RFC 8881 section 5.9). */
    private static XdrOpaque name(long id) {
        return XdrOpaque.of(Long.toString(id).getBytes(US_ASCII));
    }

    private static long number(XdrOpaque name) throws StatusException {
        String text = name.length() <= MOST_DIGITS ? name.utf8() : "";
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9') || Long.parseLong(text) > LARGEST_ID) {
            throw new StatusException(Nfsstat4.NFS4ERR_BADOWNER, "an owner that is no number");
        }
        return Long.parseLong(text);
    }

    private @Nullable Attribute at(int number) {
        return number < MOST ? table[number] : null;
    }

    /**
     * The values of those wanted attributes that are supported.
     *
     * @throws StoreException INVAL if one can only be set
     */
    Fattr4 of(Addressed target, FileAttributes file, Bitmap4 wanted) throws IOException {
        XdrEncoder out = XdrEncoder.onHeap();
        IntStream.Builder present = IntStream.builder();
        for (@Nullable Attribute attribute : table) {
            if (attribute != null && wanted.contains(attribute.number)) {
                if (attribute.writer == null) {
                    throw new StoreException(Failure.INVAL, "an attribute that can only be set: " + attribute.number);
                }
                attribute.writer.write(out, target, file);
                present.add(attribute.number);
            }
        }
        return new Fattr4(Bitmap4.of(present.build().toArray()), XdrOpaque.copyOf(out.finish().stream()));
    }

    /** The values that a listing gives for an entry whose attributes the caller may not see. */
    static Fattr4 unknown(Nfsstat4 reason) {
        XdrEncoder out = XdrEncoder.onHeap();
        reason.encode(out);
        return new Fattr4(Bitmap4.of(Constants.FATTR4_RDATTR_ERROR), XdrOpaque.copyOf(out.finish().stream()));
    }

    /** Those wanted values of an entry that its directory has: its number. Nothing is mounted on it. */
    static Fattr4 numbered(Bitmap4 wanted, long number) {
        XdrEncoder out = XdrEncoder.onHeap();
        if (wanted.contains(Constants.FATTR4_RDATTR_ERROR)) {
            Nfsstat4.NFS4_OK.encode(out);
        }
        if (wanted.contains(Constants.FATTR4_FILEID)) {
            out.writeHyper(number);
        }
        if (wanted.contains(Constants.FATTR4_MOUNTED_ON_FILEID)) {
            out.writeHyper(number);
        }
        return new Fattr4(wanted, XdrOpaque.copyOf(out.finish().stream()));
    }

    /**
     * Whether attributes have these values (VERIFY, NVERIFY).
     *
     * @throws StatusException ATTRNOTSUPP if one is not supported
     * @throws StoreException INVAL if one cannot be compared
     */
    boolean same(Addressed target, FileAttributes file, Fattr4 values) throws IOException, StatusException {
        requireSupported(values.attrmask());
        if (values.attrmask().contains(Constants.FATTR4_RDATTR_ERROR)) {
            throw new StoreException(Failure.INVAL, "rdattr_error is no attribute of a file");
        }
        return of(target, file, values.attrmask()).attrVals().equals(values.attrVals());
    }

    /** The attributes that values name, without words that name none. */
    static Bitmap4 named(Fattr4 values) {
        return Bitmap4.of(values.attrmask().bits().stream().toArray());
    }

    private void requireSupported(Bitmap4 mask) throws StatusException {
        // A mask may name millions: the message names one.
        OptionalInt first =
                mask.bits().stream().filter(number -> at(number) == null).findFirst();
        if (first.isPresent()) {
            throw new StatusException(
                    Nfsstat4.NFS4ERR_ATTRNOTSUPP, "an attribute that is not supported: " + first.getAsInt());
        }
    }

    /**
     * The change that values describe.
     *
     * @throws StatusException ATTRNOTSUPP; BADXDR if they are malformed; BADOWNER
     * @throws StoreException INVAL if an attribute cannot be set
     */
    AttributeChange change(Fattr4 values) throws StatusException, StoreException {
        requireSupported(values.attrmask());
        AttributeDraft draft = new AttributeDraft();
        XdrDecoder in = new XdrDecoder(values.attrVals().asReadOnlyBuffer());
        try {
            for (int number : values.attrmask().bits().stream().toArray()) {
                @Nullable Attribute attribute = at(number);
                if (attribute == null || attribute.reader == null) {
                    throw new StoreException(Failure.INVAL, "an attribute that cannot be set: " + number);
                }
                attribute.reader.read(in, draft);
            }
        } catch (XdrException e) {
            throw new StatusException(Nfsstat4.NFS4ERR_BADXDR, "malformed attributes: " + e.getMessage());
        }
        if (in.remaining() > 0) {
            throw new StatusException(Nfsstat4.NFS4ERR_BADXDR, "more values than attributes");
        }
        return draft.change();
    }
}
