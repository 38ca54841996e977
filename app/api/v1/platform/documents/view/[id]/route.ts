import { route } from '@/lib/context/route'
import { viewDocument } from '@/lib/platform/documents/contract'
import { documentView } from '@/lib/platform/documents/service'

export const GET = route(viewDocument, documentView)
