// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir).requireText('target/first/p/Constants.java', 'LENGTH = 5')
return true
