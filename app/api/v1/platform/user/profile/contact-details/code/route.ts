import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/contacts/contract'
import * as verbs from '@/lib/profile/contacts/service'

export const POST = route(calls.requestContactCode, verbs.requestContactCode)
