// SPDX-License-Identifier: Apache-2.0
package org.emplace.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Create3Args;
import org.emplace.samples.nfs.protocol.Createhow3;
import org.emplace.samples.nfs.protocol.Createverf3;
import org.emplace.samples.nfs.protocol.Dirlistplus3;
import org.emplace.samples.nfs.protocol.Diropargs3;
import org.emplace.samples.nfs.protocol.Entryplus3;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Nfstime3;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resfail;
import org.emplace.samples.nfs.protocol.Read3Resok;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Resok;
import org.emplace.samples.nfs.protocol.Sattr3;
import org.emplace.samples.nfs.protocol.SetAtime;
import org.emplace.samples.nfs.protocol.SetMtime;
import org.emplace.samples.nfs.protocol.Setattr3Args;
import org.emplace.samples.nfs.protocol.Specdata3;
import org.emplace.samples.nfs.protocol.StableHow;
import org.emplace.samples.nfs.protocol.TimeHow;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.tests.codegen.random.CodedType;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares our protocol definitions and encoding with C's rpcgen and libtirpc. */
class RpcgenTest {
    private static final Path SPEC = Path.of("..", "..", "spec");

    private static final NfsFh3 HANDLE = new NfsFh3(XdrOpaque.of(new byte[] {1, 2, 3, 4, 5}));
    private static final Optional<Fattr3> ATTRIBUTES = Optional.of(new Fattr3(
            Ftype3.NF3DIR,
            0755,
            2,
            4_000_000_000L,
            100,
            0x123456789abcdefL,
            8192,
            new Specdata3(7, 8),
            0xfedcba9876543210L,
            42,
            new Nfstime3(1, 2),
            new Nfstime3(3, 4),
            new Nfstime3(5, 6)));

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config_rdma.x",
                "mount1.x",
                "mount3.x",
                "nfs2.x",
                "nfs3.x",
                "nfs40.x",
                "nfs41.x",
                "nfs42.x",
                "nfs_acl.x",
                "nlm4.x",
                "nsm.x",
                "rpc.x",
                "rpcb.x",
                "rpcrdma1.x",
                "rpcsec_gss.x"
            })
    void anAnnotatedProtocolIsPlainXdrToRpcgen(String protocol) throws Exception {
        new Rpcgen(folder).compile(SPEC.resolve(protocol));

        assertThat(folder.resolve(protocol.replace(".x", "_xdr.c"))).isNotEmptyFile();
    }

    /** The same values as in {@code nfs3_values.c}. */
    @Test
    void nfsValuesHaveTheBytesThatLibtirpcGivesThem() throws Exception {
        Rpcgen rpcgen = new Rpcgen(folder);
        rpcgen.compile(SPEC.resolve("nfs3.x"));

        Map<String, String> c = rpcgen.values(Path.of("src", "test", "c", "nfs3_values.c"), "nfs3");

        assertThat(c)
                .containsEntry("READ3res", hex(new Read3Res.Nfs3Ok(new Read3Resok(ATTRIBUTES, 5, true, text("hello")))))
                .containsEntry(
                        "stale", hex(new Read3Res.Default(Nfsstat3.NFS3ERR_STALE, new Read3Resfail(Optional.empty()))))
                .containsEntry("WRITE3args", hex(new Write3Args(HANDLE, 1L << 40, 3, StableHow.DATA_SYNC, text("abc"))))
                .containsEntry("SETATTR3args", hex(setattr()))
                .containsEntry("CREATE3args", hex(create()))
                .containsEntry("READDIRPLUS3res", hex(listing()))
                .hasSize(6);
    }

    @Test
    void whatLibtirpcEncodesDecodesToTheSameValues() throws Exception {
        Rpcgen rpcgen = new Rpcgen(folder);
        rpcgen.compile(SPEC.resolve("nfs3.x"));

        Map<String, String> c = rpcgen.values(Path.of("src", "test", "c", "nfs3_values.c"), "nfs3");

        assertThat(decode(c, "SETATTR3args", Setattr3Args::decode)).isEqualTo(setattr());
        assertThat(decode(c, "CREATE3args", Create3Args::decode)).isEqualTo(create());
        assertThat(decode(c, "READDIRPLUS3res", Readdirplus3Res::decode)).isEqualTo(listing());
    }

    private static Setattr3Args setattr() {
        Sattr3 attributes = new Sattr3(
                OptionalLong.of(0600),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.of(10),
                new SetAtime.Default(TimeHow.SET_TO_SERVER_TIME),
                new SetMtime.SetToClientTime(new Nfstime3(9, 0)));
        return new Setattr3Args(HANDLE, attributes, Optional.of(new Nfstime3(0, 999_999_999)));
    }

    private static Create3Args create() {
        byte[] verifier = {
            (byte) 0xf0, (byte) 0xf1, (byte) 0xf2, (byte) 0xf3, (byte) 0xf4, (byte) 0xf5, (byte) 0xf6, (byte) 0xf7
        };
        return new Create3Args(
                new Diropargs3(HANDLE, XdrString.of("name of 17 bytes.")),
                new Createhow3.Exclusive(Createverf3.of(verifier)));
    }

    private static Readdirplus3Res listing() {
        Entryplus3 first = new Entryplus3(2, XdrString.of("a"), 1, ATTRIBUTES, Optional.of(HANDLE));
        XdrString notUtf8 = XdrString.of(new byte[] {'b', (byte) 0xff});
        Entryplus3 second = new Entryplus3(3, notUtf8, 2, Optional.empty(), Optional.empty());
        return new Readdirplus3Res.Nfs3Ok(new Readdirplus3Resok(
                Optional.empty(), Cookieverf3.of(new byte[8]), new Dirlistplus3(List.of(first, second), true)));
    }

    private static Payload text(String text) {
        return Payload.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String hex(XdrValue value) throws Exception {
        XdrEncoder out = XdrEncoder.onHeap();
        value.encode(out);
        return CodedType.hex(out.finish());
    }

    private static <T> T decode(Map<String, String> values, String name, Reader<T> reader) throws Exception {
        XdrDecoder in = new XdrDecoder(ByteBuffer.wrap(HexFormat.of().parseHex(values.get(name))));
        T value = reader.read(in);
        in.requireEnd();
        return value;
    }
}
