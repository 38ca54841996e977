import { route } from '@/lib/context/route'
import * as asked from '@/lib/entry/agreements/asked'
import * as calls from '@/lib/entry/agreements/contract'

export const POST = route(calls.acceptAgreements, asked.acceptAgreements)
