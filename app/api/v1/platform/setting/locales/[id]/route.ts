import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/locales/contract'
import * as verbs from '@/lib/platform/locales/service'

export const PUT = route(calls.updateLocale, verbs.updateLocale)
export const DELETE = route(calls.deleteLocale, verbs.deleteLocale)
