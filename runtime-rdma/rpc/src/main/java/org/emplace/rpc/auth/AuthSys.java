// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.auth;

import java.nio.ByteBuffer;
import java.security.Principal;
import java.util.function.Supplier;
import org.emplace.rpc.auth.AuthNone.Unverified;
import org.emplace.rpc.wire.AuthsysParms;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;
import org.emplace.xdr.XdrUnsignedInts;

/**
 * AUTH_SYS (RFC 5531 appendix A): user and group numbers that the caller claims, without proof. A client passes it to
 * {@link org.emplace.rpc.CallOptions#withAuth}. A server accepts the flavor by {@link #SERVER}, and gets an {@code
 * AuthSys} as the caller.
 *
 * @param stamp an arbitrary number, unsigned 32 bits
 * @param machineName the name of the client's machine, at most 255 bytes
 * @param uid the effective user, unsigned 32 bits
 * @param gid the effective group, unsigned 32 bits
 * @param gids further groups, at most 16
 */
public record AuthSys(long stamp, XdrString machineName, long uid, long gid, XdrUnsignedInts gids)
        implements ClientAuth, Principal {
    /** The flavor's number. */
    public static final int FLAVOR = 1;

    /** The flavor for servers. It accepts every well-formed credential. */
    public static final ServerAuth SERVER = new Server();

    /** @throws IllegalArgumentException if a component is too long */
    public AuthSys {
        if (machineName.length() > 255 || gids.size() > 16) {
            throw new IllegalArgumentException("AUTH_SYS allows a machine name of 255 bytes and 16 groups, not "
                    + machineName.length() + " bytes and " + gids.size() + " groups");
        }
    }

    @Override
    public ClientAuth.Exchange newExchange() {
        XdrEncoder body = XdrEncoder.onHeap();
        new AuthsysParms(stamp, machineName, uid, gid, gids).encode(body);
        return new Unverified(new OpaqueAuth(FLAVOR, XdrOpaque.copyOf(body.finish().stream())));
    }

    @Override
    public String getName() {
        return "user " + uid;
    }

    private static final class Server implements ServerAuth {
        @Override
        public int flavor() {
            return FLAVOR;
        }

        @Override
        public ServerAuth.Exchange accept(OpaqueAuth credential, OpaqueAuth verifier, Supplier<ByteBuffer> header)
                throws AuthException {
            AuthsysParms sys;
            try {
                XdrDecoder body = new XdrDecoder(credential.body().asReadOnlyBuffer());
                sys = AuthsysParms.decode(body);
                body.requireEnd();
            } catch (XdrException malformed) {
                throw new AuthException(AuthException.BAD_CREDENTIAL, String.valueOf(malformed.getMessage()));
            }
            Unverified.checkCall(verifier);
            AuthSys caller = new AuthSys(sys.stamp(), sys.machinename(), sys.uid(), sys.gid(), sys.gids());
            return () -> caller;
        }
    }
}
