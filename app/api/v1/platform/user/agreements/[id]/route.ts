import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/agreements/contract'
import * as verbs from '@/lib/profile/agreements/service'

export const PUT = route(calls.setAgreement, verbs.setAgreement)
