import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/contacts/contract'
import * as verbs from '@/lib/profile/contacts/service'

export const GET = route(calls.getContactDetails, verbs.getContactDetails)
export const PUT = route(calls.saveContactDetails, verbs.saveContactDetails)
