import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/sign-in-log/contract'
import * as verbs from '@/lib/entry/sign-in-log/service'

export const GET = route(calls.listSignIns, verbs.listSignIns)
