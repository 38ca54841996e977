import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/companies/contract'
import * as verbs from '@/lib/profile/companies/service'

export const GET = route(calls.previewLeaving, verbs.previewLeaving)
