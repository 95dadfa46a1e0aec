// SPDX-License-Identifier: Apache-2.0
/**
 * Messages of generated code on the wire: those of album.x, written word by word according to RFC 8166, RFC 5531 and RFC 4506. The tests run on
 * software iWARP as unit tests, and on verbs in the lab (tests/interop/verbs-contract).
 */
@NullMarked
package org.emplace.tests.codegen.wire;

import org.jspecify.annotations.NullMarked;
