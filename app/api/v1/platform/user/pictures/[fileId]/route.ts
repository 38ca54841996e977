import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/field-pictures/contract'
import * as verbs from '@/lib/people/field-pictures/service'

export const GET = route(calls.readFieldPicture, verbs.readFieldPicture)
