import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/pictures/contract'
import * as verbs from '@/lib/platform/pictures/service'

export const GET = route(calls.readLogo, verbs.readLogo)
