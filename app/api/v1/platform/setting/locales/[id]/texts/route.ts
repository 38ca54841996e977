import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/locale-texts/contract'
import * as verbs from '@/lib/platform/locale-texts/service'

export const GET = route(calls.listLocaleTexts, verbs.listLocaleTexts)
export const PUT = route(calls.writeLocaleTexts, verbs.writeLocaleTexts)
