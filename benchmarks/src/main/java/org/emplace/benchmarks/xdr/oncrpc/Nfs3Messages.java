// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

/** Replies of NFS version 3. */
public final class Nfs3Messages {
    private Nfs3Messages() {}

    /** A READDIRPLUS reply of NFS version 3, with only the union's success arm. */
    public static final class Readdirplus3Res implements XdrAble {
        private int status;
        private @Nullable Readdirplus3Resok resok;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(status);
            if (resok != null) {
                resok.xdrEncode(out);
            }
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            status = in.xdrDecodeInt();
            if (status != 0) {
                throw new IOException("the sample has status " + status);
            }
            resok = new Readdirplus3Resok();
            resok.xdrDecode(in);
        }
    }

    static final class Readdirplus3Resok implements XdrAble {
        private static final int COOKIE_VERIFIER = 8;

        private PostOpAttr dirAttributes = new PostOpAttr();
        private byte @Nullable [] cookieverf;
        private Dirlistplus3 reply = new Dirlistplus3();

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            dirAttributes.xdrEncode(out);
            out.xdrEncodeOpaque(cookieverf, COOKIE_VERIFIER);
            reply.xdrEncode(out);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            dirAttributes.xdrDecode(in);
            cookieverf = in.xdrDecodeOpaque(COOKIE_VERIFIER);
            reply.xdrDecode(in);
        }
    }

    static final class Dirlistplus3 implements XdrAble {
        private @Nullable Entryplus3 entries;
        private boolean eof;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeBoolean(entries != null);
            if (entries != null) {
                entries.xdrEncode(out);
            }
            out.xdrEncodeBoolean(eof);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            if (in.xdrDecodeBoolean()) {
                entries = new Entryplus3();
                entries.xdrDecode(in);
            }
            eof = in.xdrDecodeBoolean();
        }
    }

    /** An entry and its successors, coded in a loop, because recursion would overflow the stack for a large directory. */
    static final class Entryplus3 implements XdrAble {
        private long fileid;
        private String name = "";
        private long cookie;
        private PostOpAttr nameAttributes = new PostOpAttr();
        private PostOpFh3 nameHandle = new PostOpFh3();
        private @Nullable Entryplus3 nextentry;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            for (Entryplus3 entry = this; entry != null; entry = entry.nextentry) {
                out.xdrEncodeLong(entry.fileid);
                out.xdrEncodeString(entry.name);
                out.xdrEncodeLong(entry.cookie);
                entry.nameAttributes.xdrEncode(out);
                entry.nameHandle.xdrEncode(out);
                out.xdrEncodeBoolean(entry.nextentry != null);
            }
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            for (Entryplus3 entry = this; entry != null; entry = entry.nextentry) {
                entry.fileid = in.xdrDecodeLong();
                entry.name = in.xdrDecodeString();
                entry.cookie = in.xdrDecodeLong();
                entry.nameAttributes.xdrDecode(in);
                entry.nameHandle.xdrDecode(in);
                entry.nextentry = in.xdrDecodeBoolean() ? new Entryplus3() : null;
            }
        }
    }

    static final class PostOpAttr implements XdrAble {
        private boolean attributesFollow;
        private @Nullable Fattr3 attributes;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeBoolean(attributesFollow);
            if (attributes != null) {
                attributes.xdrEncode(out);
            }
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            attributesFollow = in.xdrDecodeBoolean();
            if (attributesFollow) {
                attributes = new Fattr3();
                attributes.xdrDecode(in);
            }
        }
    }

    static final class PostOpFh3 implements XdrAble {
        private boolean handleFollows;
        private @Nullable NfsFh3 handle;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeBoolean(handleFollows);
            if (handle != null) {
                handle.xdrEncode(out);
            }
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            handleFollows = in.xdrDecodeBoolean();
            if (handleFollows) {
                handle = new NfsFh3();
                handle.xdrDecode(in);
            }
        }
    }

    static final class NfsFh3 implements XdrAble {
        private byte @Nullable [] data;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeDynamicOpaque(data);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            data = in.xdrDecodeDynamicOpaque();
        }
    }

    /** A GETATTR reply. */
    public static final class Getattr3Res implements XdrAble {
        private int status;
        private @Nullable Getattr3Resok resok;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(status);
            if (resok != null) {
                resok.xdrEncode(out);
            }
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            status = in.xdrDecodeInt();
            if (status == 0) {
                resok = new Getattr3Resok();
                resok.xdrDecode(in);
            }
        }
    }

    static final class Getattr3Resok implements XdrAble {
        private final Fattr3 objAttributes = new Fattr3();

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            objAttributes.xdrEncode(out);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            objAttributes.xdrDecode(in);
        }
    }

    static final class Fattr3 implements XdrAble {
        private int type;
        private int mode;
        private int nlink;
        private int uid;
        private int gid;
        private long size;
        private long used;
        private Specdata3 rdev = new Specdata3();
        private long fsid;
        private long fileid;
        private Nfstime3 atime = new Nfstime3();
        private Nfstime3 mtime = new Nfstime3();
        private Nfstime3 ctime = new Nfstime3();

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(type);
            out.xdrEncodeInt(mode);
            out.xdrEncodeInt(nlink);
            out.xdrEncodeInt(uid);
            out.xdrEncodeInt(gid);
            out.xdrEncodeLong(size);
            out.xdrEncodeLong(used);
            rdev.xdrEncode(out);
            out.xdrEncodeLong(fsid);
            out.xdrEncodeLong(fileid);
            atime.xdrEncode(out);
            mtime.xdrEncode(out);
            ctime.xdrEncode(out);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            type = in.xdrDecodeInt();
            mode = in.xdrDecodeInt();
            nlink = in.xdrDecodeInt();
            uid = in.xdrDecodeInt();
            gid = in.xdrDecodeInt();
            size = in.xdrDecodeLong();
            used = in.xdrDecodeLong();
            rdev.xdrDecode(in);
            fsid = in.xdrDecodeLong();
            fileid = in.xdrDecodeLong();
            atime.xdrDecode(in);
            mtime.xdrDecode(in);
            ctime.xdrDecode(in);
        }
    }

    static final class Nfstime3 implements XdrAble {
        private int seconds;
        private int nseconds;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(seconds);
            out.xdrEncodeInt(nseconds);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            seconds = in.xdrDecodeInt();
            nseconds = in.xdrDecodeInt();
        }
    }

    static final class Specdata3 implements XdrAble {
        private int specdata1;
        private int specdata2;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(specdata1);
            out.xdrEncodeInt(specdata2);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            specdata1 = in.xdrDecodeInt();
            specdata2 = in.xdrDecodeInt();
        }
    }
}
