import { route } from '@/lib/context/route'
import * as verbs from '@/lib/platform/domains/administration'
import * as calls from '@/lib/platform/domains/contract'

export const GET = route(calls.listStyleTemplates, verbs.listStyleTemplates)
