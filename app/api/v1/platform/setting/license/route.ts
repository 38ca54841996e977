import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/license/contract'
import * as verbs from '@/lib/operations/license/service'

export const GET = route(calls.readLicenseInfo, verbs.readLicenseInfo)
export const POST = route(calls.saveLicense, verbs.saveLicense)
export const DELETE = route(calls.deleteLicense, verbs.deleteLicense)
