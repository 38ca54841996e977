import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/contractors/contract'
import * as verbs from '@/lib/people/contractors/pictures'

export const PATCH = route(calls.patchContractorPicture, verbs.patchContractorPicture)
export const DELETE = route(calls.deleteContractorPicture, verbs.deleteContractorPicture)
