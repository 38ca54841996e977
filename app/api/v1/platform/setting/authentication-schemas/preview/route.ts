import { route } from '@/lib/context/route'
import * as calls from '@/lib/entry/authentication-schemas/contract'
import * as verbs from '@/lib/entry/authentication-schemas/service'

export const GET = route(calls.previewAuthenticationSchema, verbs.previewAuthenticationSchema)
