// SPDX-License-Identifier: Apache-2.0
/**
 * What generated code puts on the wire and takes from it: messages of album.x, written down word by word after RFC 8166, RFC 5531 and RFC 4506. They run on
 * software iWARP in the unit tests, and on verbs in the lab (tests/interop/verbs-contract).
 */
@NullMarked
package org.emplace.tests.codegen.wire;

import org.jspecify.annotations.NullMarked;
