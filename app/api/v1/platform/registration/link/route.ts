import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/registration/contract'
import * as verbs from '@/lib/entry/registration/request-link'

export const POST = route(calls.registrationLink, verbs.registrationLink)
