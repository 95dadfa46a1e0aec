// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.xdr.oncrpc;

import java.io.IOException;
import org.acplt.oncrpc.OncRpcException;
import org.acplt.oncrpc.XdrAble;
import org.acplt.oncrpc.XdrDecodingStream;
import org.acplt.oncrpc.XdrEncodingStream;

/** A result of one operation; of the union only the arms that the sample has. */
final class NfsResop4 implements XdrAble {
    private static final int ACCESS = 3;
    private static final int GETATTR = 9;
    private static final int GETFH = 10;
    private static final int LOOKUP = 15;
    private static final int PUTFH = 22;

    private int operation;
    private int status;
    private int supported;
    private int access;
    private byte[] object = {};
    private int[] attrmask = {};
    private byte[] attrVals = {};

    @Override
    public void xdrEncode(XdrEncodingStream out) throws OncRpcException, IOException {
        out.xdrEncodeInt(operation);
        out.xdrEncodeInt(status);
        switch (operation) {
            case ACCESS -> {
                out.xdrEncodeInt(supported);
                out.xdrEncodeInt(access);
            }
            case GETATTR -> {
                out.xdrEncodeIntVector(attrmask);
                out.xdrEncodeDynamicOpaque(attrVals);
            }
            case GETFH -> out.xdrEncodeDynamicOpaque(object);
            default -> {}
        }
    }

    @Override
    public void xdrDecode(XdrDecodingStream in) throws OncRpcException, IOException {
        operation = in.xdrDecodeInt();
        status = in.xdrDecodeInt();
        if (status != 0) {
            throw new IOException("the sample has status " + status);
        }
        switch (operation) {
            case ACCESS -> {
                supported = in.xdrDecodeInt();
                access = in.xdrDecodeInt();
            }
            case GETATTR -> {
                attrmask = in.xdrDecodeIntVector();
                attrVals = in.xdrDecodeDynamicOpaque();
            }
            case GETFH -> object = in.xdrDecodeDynamicOpaque();
            case LOOKUP, PUTFH -> {}
            default -> throw new IOException("the sample has operation " + operation);
        }
    }
}
