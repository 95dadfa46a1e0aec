// SPDX-License-Identifier: Apache-2.0
/** A notice board whose server calls its readers. Generated code and the program are in one module, which needs only the runtime. */
module org.emplace.sample.notices {
    requires org.emplace.runtime;
}
