// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Both directions of one type's encoding. */
public record XdrCodec<T>(XdrWriter<T> writer, XdrReader<T> reader) {}
