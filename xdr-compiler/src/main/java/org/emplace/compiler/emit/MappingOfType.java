// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.emit;

import org.emplace.compiler.javamodel.JavaType;

/** Chooses the class that writes the code of a type. */
final class MappingOfType implements JavaType.Visitor<Mapping> {
    static final MappingOfType VISITOR = new MappingOfType();

    private MappingOfType() {}

    @Override
    public Mapping scalar(JavaType.Scalar type) {
        return new ScalarMapping(type);
    }

    @Override
    public Mapping bytes(JavaType.Bytes type) {
        return new BytesMapping(type);
    }

    @Override
    public Mapping numbers(JavaType.Numbers type) {
        return new NumbersMapping(type);
    }

    @Override
    public Mapping bits(JavaType.Bits type) {
        return new BitsMapping(type);
    }

    @Override
    public Mapping array(JavaType.Array type) {
        return new ListMapping(type, Mapping.of(type.element()));
    }

    @Override
    public Mapping linkedList(JavaType.LinkedList type) {
        return new LinkedListMapping(type, Mapping.of(type.element()));
    }

    @Override
    public Mapping optionalData(JavaType.OptionalData type) {
        return OptionalNumberMapping.isFor(type.element())
                ? new OptionalNumberMapping(type, new ScalarMapping((JavaType.Scalar) type.element()))
                : new OptionalMapping(type, Mapping.of(type.element()));
    }

    @Override
    public Mapping chunkItem(JavaType.ChunkItem type) {
        return new ChunkItemMapping(type, Mapping.of(type.item()));
    }

    @Override
    public Mapping generated(JavaType.Generated type) {
        return new NamedMapping(type);
    }
}
