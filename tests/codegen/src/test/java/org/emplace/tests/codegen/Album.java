// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rpc.OperationUnavailableException;
import org.emplace.rpc.ServerCall;
import org.emplace.tests.codegen.album.Album2EditOperations;
import org.emplace.tests.codegen.album.AlbumStatus;
import org.emplace.tests.codegen.album.Entry;
import org.emplace.tests.codegen.album.FetchArgs;
import org.emplace.tests.codegen.album.FetchResult;
import org.emplace.tests.codegen.album.Fetched;
import org.emplace.tests.codegen.album.Listing;
import org.emplace.tests.codegen.album.MoveArgs;
import org.emplace.tests.codegen.album.Moved;
import org.emplace.tests.codegen.album.Outcome;
import org.emplace.tests.codegen.album.Outcomes;
import org.emplace.tests.codegen.album.Step;
import org.emplace.tests.codegen.album.StoreArgs;
import org.emplace.tests.codegen.album.Stored;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrString;

/** An album server with a method per operation; some operations are not implemented. */
public class Album implements Album2EditOperations<Album.Session> {
    private final List<StoreArgs> pictures = new ArrayList<>();

    /** The state that the operations of a call share. */
    public static final class Session {
        private final XdrString context;
        private final List<String> steps = new ArrayList<>();

        private Session(XdrString context) {
            this.context = context;
        }
    }

    @Override
    public Session begin(XdrString context, XdrString options, List<Step> steps, ServerCall call) {
        return new Session(context);
    }

    @Override
    public Outcomes finish(AlbumStatus status, List<Outcome> results, Session session) {
        return new Outcomes(results);
    }

    @Override
    public Outcome otherwise(Step operation, Session session) {
        return new Outcome.Unknown(AlbumStatus.ALBUM_WHAT);
    }

    @Override
    public AlbumStatus open(XdrString name, Session session) {
        session.steps.add("open " + name);
        return AlbumStatus.ALBUM_OK;
    }

    @Override
    public FetchResult fetch(FetchArgs args, Session session) {
        session.steps.add("fetch");
        if (args.picture() >= pictures.size()) {
            return new FetchResult.Default(AlbumStatus.ALBUM_NO_PICTURE, XdrString.of("there are " + pictures.size()));
        }
        StoreArgs picture = pictures.get((int) args.picture());
        return new FetchResult.AlbumOk(
                new Fetched(direct("small " + picture.title()), picture.title(), direct("large " + picture.title())));
    }

    @Override
    public Stored store(StoreArgs args, Session session) {
        session.steps.add("store");
        pictures.add(args);
        return new Stored(AlbumStatus.ALBUM_OK, pictures.size() - 1);
    }

    @Override
    public Moved rotate(MoveArgs args, Session session) {
        session.steps.add("rotate " + args.by());
        return new Moved(AlbumStatus.ALBUM_OK);
    }

    @Override
    public Moved flip(MoveArgs args, Session session) throws OperationUnavailableException {
        throw new OperationUnavailableException("flip " + args.by());
    }

    @Override
    public XdrString title(Session session) {
        return XdrString.of(session.context + ": " + String.join(", ", session.steps));
    }

    @Override
    public Listing list(Session session) {
        List<Entry> entries = new ArrayList<>();
        pictures.forEach(picture -> entries.add(new Entry(entries.size(), picture.title())));
        return new Listing(AlbumStatus.ALBUM_OK, entries);
    }

    @Override
    public long count(Session session) {
        return pictures.size();
    }

    @Override
    public void start_(Session session) {
        session.steps.add("start");
    }

    static Payload direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return Payload.of(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
    }
}
