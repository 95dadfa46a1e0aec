// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A class that the XDR compiler wrote. It stays in the class file, so that tools that leave generated code out, as those that measure coverage
 * do, find it there.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Generated {

    /** The XDR files that the class was made from, without their folders. */
    String value();
}
