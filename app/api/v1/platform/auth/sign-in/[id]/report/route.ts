import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/sign-in-report/contract'
import * as verbs from '@/lib/entry/sign-in-report/service'

export const POST = route(calls.reportSignIn, verbs.reportSignIn)
