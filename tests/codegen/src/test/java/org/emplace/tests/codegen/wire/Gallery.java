// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.wire;

import static org.emplace.tests.codegen.wire.AlbumWords.id;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.emplace.rpc.ServerCall;
import org.emplace.rpcrdma.Blobs;
import org.emplace.rpcrdma.Words;
import org.emplace.tests.codegen.Album;
import org.emplace.tests.codegen.album.Album2EditOperations;
import org.emplace.tests.codegen.album.Album2Server;
import org.emplace.tests.codegen.album.AlbumStatus;
import org.emplace.tests.codegen.album.Answer;
import org.emplace.tests.codegen.album.Answers;
import org.emplace.tests.codegen.album.Contents;
import org.emplace.tests.codegen.album.Found;
import org.emplace.tests.codegen.album.Frame1Server;
import org.emplace.tests.codegen.album.Histogram;
import org.emplace.tests.codegen.album.Marks;
import org.emplace.tests.codegen.album.Names;
import org.emplace.tests.codegen.album.NewPicture;
import org.emplace.tests.codegen.album.Outcomes;
import org.emplace.tests.codegen.album.Photo;
import org.emplace.tests.codegen.album.PictureId;
import org.emplace.tests.codegen.album.Step;
import org.emplace.tests.codegen.album.WantedPictures;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/** A server of both programs of album.x whose pictures are {@linkplain Blobs#pattern patterns}. */
final class Gallery implements Album2Server, Frame1Server {
    private static final PictureId NOT_THERE = id("gone");

    private final Album2Server steps = Album2EditOperations.server(new Album());
    private final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

    /** A picture as the server received it. */
    record Added(ByteBuffer thumbnail, Marks marked, ByteBuffer pixels, long taken, Principal caller) {}

    /** The next call's effect: an {@link Added}, or the connection of a caller that serves the backward direction. */
    Object event() throws InterruptedException {
        Object event = events.poll(20, TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("no call has come");
        }
        return event;
    }

    @Override
    public Outcomes edit(XdrString context, XdrString options, List<Step> all, ServerCall call) throws Exception {
        return steps.edit(context, options, all, call);
    }

    @Override
    public PictureId add(NewPicture args, ServerCall call) throws IOException {
        events.add(new Added(copy(args.thumbnail()), args.marked(), copy(args.pixels()), args.taken(), call.caller()));
        return id(args.title() + "-1");
    }

    @Override
    public Answers get(WantedPictures args, ServerCall call) {
        return new Answers(args.wanted().stream()
                .map(wanted -> wanted.picture().equals(NOT_THERE)
                        ? new Answer.Default(AlbumStatus.of(9), XdrString.of("gone"))
                        : new Answer.AlbumOk(new Found(pattern(wanted.pixels()), 7)))
                .map(Answer.class::cast)
                .toList());
    }

    @Override
    public Contents arrange(Contents args, ServerCall call) {
        return args;
    }

    @Override
    public Histogram histogram(PictureId picture, long bytes, ServerCall call) {
        return new Histogram(Payload.of(new Words().and(5, 6, 7).bytes()));
    }

    @Override
    public Names name(PictureId picture, Names people, long most, ServerCall call) {
        call.connection().enableBackwardCalls();
        events.add(call.connection());
        return people;
    }

    @Override
    public Photo show(Photo shown, long most, ServerCall call) throws IOException {
        if (!shown.pixels().buffer().equals(Blobs.pattern((int) shown.pixels().length()))) {
            throw new IllegalArgumentException("other pixels than were sent");
        }
        return new Photo(pattern(most));
    }

    private static Payload pattern(long length) {
        return Payload.of(Blobs.pattern((int) length));
    }

    private static ByteBuffer copy(Payload payload) throws IOException {
        return ByteBuffer.wrap(XdrOpaque.copyOf(payload.buffer()).bytes());
    }
}
