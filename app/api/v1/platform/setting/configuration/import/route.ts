import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/configuration/contract'
import * as verbs from '@/lib/operations/configuration/service'

export const POST = route(calls.importConfiguration, verbs.importConfiguration)
