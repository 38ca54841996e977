import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/applications/contract'
import * as verbs from '@/lib/platform/applications/manage'

export const GET = route(calls.listApplications, verbs.listApplications)
export const POST = route(calls.createApplication, verbs.createApplication)
