// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;
import org.jspecify.annotations.Nullable;

/** A result of one operation; of the union only the arms that the sample has. */
final class NfsResop4 implements XdrAble {
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
