// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.link;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.emplace.compiler.diagnostic.Diagnostics;
import org.emplace.compiler.diagnostic.Extension;
import org.emplace.compiler.model.Origin;
import org.emplace.compiler.model.TypeDefinition;
import org.emplace.compiler.model.TypeDefinition.Field;
import org.emplace.compiler.model.XdrType;
import org.emplace.compiler.model.XdrType.Primitive;
import org.emplace.compiler.syntax.Name;

/**
 * The structs of the RPC protocols that a file may use without defining them, because C's header {@code rpc/rpc.h} defines them for the output of
 * rpcgen. RFC 5662, for example, uses {@code authsys_parms}. A flavor is an int, as in C, because flavors beyond those of RFC 5531 are registered.
 */
final class RpcTypes {

    /** A member without an origin. */
    private record Member(String name, XdrType type) {}

    /** A struct and the document that defines it. */
    private record Struct(String source, List<Member> members) {}

    private static final Struct CREDENTIAL_OF_SYSTEM = new Struct(
            "RFC 5531 appendix A",
            List.of(
                    new Member("stamp", Primitive.UNSIGNED_INT),
                    new Member("machinename", new XdrType.StringType(255)),
                    new Member("uid", Primitive.UNSIGNED_INT),
                    new Member("gid", Primitive.UNSIGNED_INT),
                    new Member("gids", new XdrType.VariableArray(Primitive.UNSIGNED_INT, 16))));

    private static final Map<String, Struct> STRUCTS = Map.of(
            "opaque_auth",
            new Struct(
                    "RFC 5531 section 8.2",
                    List.of(new Member("flavor", Primitive.INT), new Member("body", new XdrType.VariableOpaque(400)))),
            "authsys_parms",
            CREDENTIAL_OF_SYSTEM,
            "authunix_parms",
            CREDENTIAL_OF_SYSTEM,
            "pmap",
            new Struct(
                    "RFC 1833 section 3.1, there called mapping",
                    List.of(
                            new Member("pm_prog", Primitive.UNSIGNED_INT),
                            new Member("pm_vers", Primitive.UNSIGNED_INT),
                            new Member("pm_prot", Primitive.UNSIGNED_INT),
                            new Member("pm_port", Primitive.UNSIGNED_INT))),
            "rpcb",
            new Struct(
                    "RFC 1833 section 2.1",
                    List.of(
                            new Member("r_prog", Primitive.UNSIGNED_INT),
                            new Member("r_vers", Primitive.UNSIGNED_INT),
                            new Member("r_netid", new XdrType.StringType(XdrType.UNBOUNDED)),
                            new Member("r_addr", new XdrType.StringType(XdrType.UNBOUNDED)),
                            new Member("r_owner", new XdrType.StringType(XdrType.UNBOUNDED)))));

    private RpcTypes() {}

    /** The struct that an undefined name stands for. Reports its use. */
    static Optional<TypeDefinition> meaning(Name name, Diagnostics diagnostics) {
        return Optional.ofNullable(STRUCTS.get(name.text())).map(struct -> {
            diagnostics.report(Extension.C_TYPE.at(
                    name.span(),
                    "`" + name.text() + "` is not defined in these files; treated as the struct of "
                            + struct.source()));
            Origin origin = Origins.of(name);
            List<Field> fields = struct.members().stream()
                    .map(member -> new Field(member.name(), member.type(), "", origin))
                    .toList();
            return new TypeDefinition.Structure(name.text(), fields, "As in " + struct.source() + ".", origin);
        });
    }
}
