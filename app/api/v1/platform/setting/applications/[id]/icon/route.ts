import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/applications/contract'
import * as verbs from '@/lib/platform/applications/icon'

export const PATCH = route(calls.patchApplicationIcon, verbs.patchApplicationIcon)
export const DELETE = route(calls.deleteApplicationIcon, verbs.deleteApplicationIcon)
