import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/project-info/contract'
import * as verbs from '@/lib/platform/project-info/service'

export const GET = route(calls.getProjectInfo, verbs.getProjectInfo)
