// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;

final class Fattr3 implements XdrAble {
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
