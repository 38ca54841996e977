import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/locales/contract'
import * as verbs from '@/lib/platform/locales/service'

export const PUT = route(calls.enableLocale, verbs.enableLocale)
