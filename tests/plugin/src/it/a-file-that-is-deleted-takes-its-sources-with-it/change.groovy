// SPDX-License-Identifier: Apache-2.0
return new File(basedir, 'src/main/xdr/place.x').delete()
