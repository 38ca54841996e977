import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/public-settings/contract'
import * as verbs from '@/lib/people/public-settings/service'

export const GET = route(calls.getPublicSettings, verbs.getPublicSettings)
