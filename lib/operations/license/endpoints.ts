import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import { checkLicense, countLicenseSessions, deleteLicense, readLicenseInfo, saveLicense } from './service'

export default endpoints(calls, { checkLicense, countLicenseSessions, deleteLicense, readLicenseInfo, saveLicense })
