import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/registration/contract'
import * as verbs from '@/lib/entry/registration/service'

export const PUT = route(calls.registrationVerify, verbs.registrationVerify)
