// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.emplace.rpc.Procedure;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.*;
import org.emplace.samples.nfs.protocol.Write3Args;
import org.emplace.samples.nfs.protocol.Write3Res;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that has lost its connection resends calls with their xids. They have been run before, and get the same reply. */
@Timeout(60)
class ResentCallsTest {
    private static final int LAST = 0x8000_0000;

    @TempDir
    Path temporary;

    @AutoClose
    private Served served;

    private NfsFh3 root;
    private int xid = 0x1234_5678;

    @BeforeEach
    void serve() throws Exception {
        served = new Served(Served.On.TCP_POSIX, temporary);
        root = served.root();
    }

    @Test
    void namesAreMadeOnce() throws Exception {
        NfsFh3 file = served.create("file");
        Createhow3 guarded = new Createhow3.Unchecked(Createmode3.GUARDED, RemoteAttributes.UNCHANGED);
        Payload target = Payload.of(ByteBuffer.wrap("file".getBytes(StandardCharsets.US_ASCII)));

        assertThat(resent(Nfs3.CREATE, new Create3Args(in("guarded"), guarded)).status())
                .isEqualTo(Nfsstat3.NFS3_OK);
        assertThat(resent(Nfs3.MKDIR, new Mkdir3Args(in("directory"), RemoteAttributes.UNCHANGED))
                        .status())
                .isEqualTo(Nfsstat3.NFS3_OK);
        assertThat(resent(
                                Nfs3.SYMLINK,
                                new Symlink3Args(in("symlink"), new Symlinkdata3(RemoteAttributes.UNCHANGED, target)))
                        .status())
                .isEqualTo(Nfsstat3.NFS3_OK);
        assertThat(resent(Nfs3.LINK, new Link3Args(file, in("link"))).status()).isEqualTo(Nfsstat3.NFS3_OK);
        assertThat(resent(Nfs3.RENAME, new Rename3Args(in("link"), in("renamed")))
                        .status())
                .isEqualTo(Nfsstat3.NFS3_OK);
    }

    @Test
    void namesAreRemovedOnce() throws Exception {
        served.create("file");
        Files.createDirectory(served.directory.resolve("directory"));

        assertThat(resent(Nfs3.RMDIR, new Rmdir3Args(in("directory"))).status()).isEqualTo(Nfsstat3.NFS3_OK);
        Remove3Args remove = new Remove3Args(in("file"));
        Remove3Res removed = resent(Nfs3.REMOVE, remove);
        assertThat(removed.status()).isEqualTo(Nfsstat3.NFS3_OK);

        served.create("file");
        assertThat(send(Nfs3.REMOVE, remove)).isEqualTo(removed);
        assertThat(served.directory.resolve("file")).as("made since").exists();
    }

    @Test
    void guardedAttributesAreSetOnce() throws Exception {
        NfsFh3 file = served.create("file");
        Fattr3 before = served.attributes(file);
        Sattr3 mode = new Sattr3(
                OptionalLong.of(0600),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                new SetAtime.Default(TimeHow.DONT_CHANGE),
                new SetMtime.Default(TimeHow.DONT_CHANGE));

        assertThat(resent(Nfs3.SETATTR, new Setattr3Args(file, mode, Optional.of(before.ctime())))
                        .status())
                .isEqualTo(Nfsstat3.NFS3_OK);
    }

    /** The network has delayed the first transmission; the client has resent the call, got the reply, and gone on. */
    @ParameterizedTest
    @EnumSource(StableHow.class)
    void aWriteThatArrivesLateDoesNotUndoALaterOne(StableHow stable) throws Exception {
        NfsFh3 file = served.create("file");
        Write3Args first = write(file, "AAAAAAAA", stable);
        Write3Res replied = resent(Nfs3.WRITE, first);
        int xidOfFirst = xid;
        xid++;
        send(Nfs3.WRITE, write(file, "BBBBBBBB", stable));
        xid = xidOfFirst;
        assertThat(send(Nfs3.WRITE, first)).isEqualTo(replied);
        assertThat(served.directory.resolve("file")).hasContent("BBBBBBBB");
    }

    private static Write3Args write(NfsFh3 file, String text, StableHow stable) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        return new Write3Args(file, 0, bytes.remaining(), stable, Payload.of(bytes));
    }

    private Diropargs3 in(String name) {
        return Served.in(root, name);
    }

    /** Sends a call twice, each time over another connection. Returns both replies. */
    private <A, R> R resent(Procedure<A, R> procedure, A arguments) throws Exception {
        xid++;
        R first = send(procedure, arguments);
        assertThat(send(procedure, arguments)).isEqualTo(first);
        return first;
    }

    /** Sends a call as root with the current xid, over its own connection. */
    private <A, R> R send(Procedure<A, R> procedure, A arguments) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port())) {
            socket.getOutputStream().write(record(procedure, arguments));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            XdrDecoder reply = new XdrDecoder(ByteBuffer.wrap(in.readNBytes(in.readInt() & ~LAST)));
            assertThat(reply.readInt()).isEqualTo(xid);
            reply.readFixedOpaque(5 * Integer.BYTES);
            return procedure.results().reader().read(reply);
        }
    }

    private <A> byte[] record(Procedure<A, ?> procedure, A arguments) throws IOException {
        XdrEncoder credential = XdrEncoder.onHeap();
        credential.writeInt(0);
        credential.writeString(XdrString.of("test"));
        credential.writeInts(0, 0);
        credential.writeInt(0);
        XdrEncoder call = XdrEncoder.onHeap();
        call.writeInts(xid, 0);
        call.writeInt(2);
        call.writeUnsignedInts(procedure.program().number(), procedure.program().version());
        call.writeUnsignedInt(procedure.number());
        call.writeInt(1);
        call.writeOpaque(XdrOpaque.copyOf(credential.finish().stream()));
        call.writeInts(0, 0);
        procedure.arguments().writer().write(call, arguments);
        EncodedMessage message = call.finish();
        ByteBuffer record = ByteBuffer.allocate(Integer.BYTES + (int) message.unreducedLength());
        record.putInt(LAST | record.remaining() - Integer.BYTES);
        message.unreduced().forEach(record::put);
        return record.array();
    }
}
