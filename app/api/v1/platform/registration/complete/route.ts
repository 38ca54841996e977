import { route } from '@/lib/context/route'
import * as verbs from '@/lib/entry/registration/complete'
import * as calls from '@/lib/entry/registration/contract'

export const POST = route(calls.registrationComplete, verbs.registrationComplete)
