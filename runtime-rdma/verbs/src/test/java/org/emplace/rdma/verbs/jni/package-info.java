// SPDX-License-Identifier: Apache-2.0
@NullMarked
package org.emplace.rdma.verbs.jni;

import org.jspecify.annotations.NullMarked;
