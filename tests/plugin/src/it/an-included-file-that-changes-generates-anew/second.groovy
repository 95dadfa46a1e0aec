// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireText('target/generated-sources/emplace/p/Constants.java', 'LIMIT = 6')
return true
