// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

/** Replies of NFS version 4.0. */
public final class Nfs4Messages {
    private Nfs4Messages() {}

    /** A COMPOUND reply of NFS version 4.0. */
    public static final class Compound4Res implements XdrAble {
        private int status;
        private byte @Nullable [] tag;
        private NfsResop4[] resarray = {};

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(status);
            out.xdrEncodeDynamicOpaque(tag);
            out.xdrEncodeInt(resarray.length);
            for (NfsResop4 result : resarray) {
                result.xdrEncode(out);
            }
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            status = in.xdrDecodeInt();
            tag = in.xdrDecodeDynamicOpaque();
            resarray = new NfsResop4[in.xdrDecodeInt()];
            for (int i = 0; i < resarray.length; i++) {
                resarray[i] = new NfsResop4();
                resarray[i].xdrDecode(in);
            }
        }
    }

    /** The result of one operation, with only the union's arms that the sample uses. */
    static final class NfsResop4 implements XdrAble {
        private static final int ACCESS = 3;
        private static final int GETATTR = 9;
        private static final int GETFH = 10;
        private static final int LOOKUP = 15;
        private static final int PUTFH = 22;

        private int resop;
        private @Nullable Access4Res opaccess;
        private @Nullable Getattr4Res opgetattr;
        private @Nullable Getfh4Res opgetfh;
        private @Nullable Lookup4Res oplookup;
        private @Nullable Putfh4Res opputfh;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(resop);
            switch (resop) {
                case ACCESS -> requireNonNull(opaccess).xdrEncode(out);
                case GETATTR -> requireNonNull(opgetattr).xdrEncode(out);
                case GETFH -> requireNonNull(opgetfh).xdrEncode(out);
                case LOOKUP -> requireNonNull(oplookup).xdrEncode(out);
                case PUTFH -> requireNonNull(opputfh).xdrEncode(out);
                default -> throw unknown();
            }
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            resop = in.xdrDecodeInt();
            switch (resop) {
                case ACCESS -> {
                    opaccess = new Access4Res();
                    opaccess.xdrDecode(in);
                }
                case GETATTR -> {
                    opgetattr = new Getattr4Res();
                    opgetattr.xdrDecode(in);
                }
                case GETFH -> {
                    opgetfh = new Getfh4Res();
                    opgetfh.xdrDecode(in);
                }
                case LOOKUP -> {
                    oplookup = new Lookup4Res();
                    oplookup.xdrDecode(in);
                }
                case PUTFH -> {
                    opputfh = new Putfh4Res();
                    opputfh.xdrDecode(in);
                }
                default -> throw unknown();
            }
        }

        private IOException unknown() {
            return new IOException("the sample has operation " + resop);
        }
    }

    static final class Access4Res implements XdrAble {
        private int status;
        private @Nullable Access4Resok resok4;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(status);
            if (resok4 != null) {
                resok4.xdrEncode(out);
            }
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            status = in.xdrDecodeInt();
            if (status == 0) {
                resok4 = new Access4Resok();
                resok4.xdrDecode(in);
            }
        }
    }

    static final class Access4Resok implements XdrAble {
        private int supported;
        private int access;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(supported);
            out.xdrEncodeInt(access);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            supported = in.xdrDecodeInt();
            access = in.xdrDecodeInt();
        }
    }

    static final class Getattr4Res implements XdrAble {
        private int status;
        private @Nullable Getattr4Resok resok4;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(status);
            if (resok4 != null) {
                resok4.xdrEncode(out);
            }
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            status = in.xdrDecodeInt();
            if (status == 0) {
                resok4 = new Getattr4Resok();
                resok4.xdrDecode(in);
            }
        }
    }

    static final class Getattr4Resok implements XdrAble {
        private Fattr4 objAttributes = new Fattr4();

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            objAttributes.xdrEncode(out);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            objAttributes.xdrDecode(in);
        }
    }

    static final class Fattr4 implements XdrAble {
        private int @Nullable [] attrmask;
        private byte @Nullable [] attrVals;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeIntVector(attrmask);
            out.xdrEncodeDynamicOpaque(attrVals);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            attrmask = in.xdrDecodeIntVector();
            attrVals = in.xdrDecodeDynamicOpaque();
        }
    }

    static final class Getfh4Res implements XdrAble {
        private int status;
        private @Nullable Getfh4Resok resok4;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(status);
            if (resok4 != null) {
                resok4.xdrEncode(out);
            }
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            status = in.xdrDecodeInt();
            if (status == 0) {
                resok4 = new Getfh4Resok();
                resok4.xdrDecode(in);
            }
        }
    }

    static final class Getfh4Resok implements XdrAble {
        private byte @Nullable [] object;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeDynamicOpaque(object);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            object = in.xdrDecodeDynamicOpaque();
        }
    }

    static final class Lookup4Res implements XdrAble {
        private int status;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(status);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            status = in.xdrDecodeInt();
        }
    }

    static final class Putfh4Res implements XdrAble {
        private int status;

        @Override
        public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
            out.xdrEncodeInt(status);
        }

        @Override
        public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
            status = in.xdrDecodeInt();
        }
    }
}
