import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/applications/contract'
import * as verbs from '@/lib/platform/applications/manage'

export const PUT = route(calls.updateApplicationMethods, verbs.updateApplicationMethods)
