import { route } from '@/lib/context/route'
import * as calls from '@/lib/operations/configuration/contract'
import * as verbs from '@/lib/operations/configuration/service'

export const GET = route(calls.exportConfiguration, verbs.exportConfiguration)
