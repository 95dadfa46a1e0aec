// SPDX-License-Identifier: Apache-2.0
new File(basedir, 'src/common/xdr/limits.h').text = 'const LIMIT = 6;'
return true
