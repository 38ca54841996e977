import { route } from '@/lib/context/route'
import * as verbs from '@/lib/platform/documents/administer'
import * as calls from '@/lib/platform/documents/contract'

export const PUT = route(calls.enableDocument, verbs.enableDocument)
