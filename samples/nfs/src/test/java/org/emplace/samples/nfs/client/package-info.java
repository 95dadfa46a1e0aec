// SPDX-License-Identifier: Apache-2.0
/** Tests of the sample's client. */
@NullMarked
package org.emplace.samples.nfs.client;

import org.jspecify.annotations.NullMarked;
