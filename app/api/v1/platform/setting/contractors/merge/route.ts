import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/contractors/contract'
import * as verbs from '@/lib/people/contractors/merge'

export const GET = route(calls.previewContractorMerge, verbs.previewContractorMerge)
export const POST = route(calls.mergeContractors, verbs.mergeContractors)
