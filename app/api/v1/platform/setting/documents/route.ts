import { route } from '@/lib/context/route'
import * as verbs from '@/lib/platform/documents/administer'
import * as calls from '@/lib/platform/documents/contract'

export const GET = route(calls.listDocuments, verbs.listDocuments)
export const POST = route(calls.createDocument, verbs.createDocument)
