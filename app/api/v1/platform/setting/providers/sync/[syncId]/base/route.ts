import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/provider-mappers/contract'
import * as verbs from '@/lib/people/provider-mappers/service'

export const POST = route(calls.addBaseMappers, verbs.addBaseMappers)
