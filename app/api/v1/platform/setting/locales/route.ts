import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/locales/contract'
import * as verbs from '@/lib/platform/locales/service'

export const GET = route(calls.listLocales, verbs.listLocales)
export const POST = route(calls.createLocale, verbs.createLocale)
