import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/documents/contract'
import * as verbs from '@/lib/platform/documents/service'

export const GET = route(calls.viewDocument, verbs.viewDocument)
