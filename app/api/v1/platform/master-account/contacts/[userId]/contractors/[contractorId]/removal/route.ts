import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/colleagues/contract'
import * as verbs from '@/lib/people/colleagues/manage'

export const GET = route(calls.previewRemoval, verbs.previewRemoval)
