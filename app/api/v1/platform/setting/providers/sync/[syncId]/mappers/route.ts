import { route } from '@/lib/context/route'
import * as calls from '@/lib/people/provider-mappers/contract'
import * as verbs from '@/lib/people/provider-mappers/service'

export const GET = route(calls.listProviderMappers, verbs.listProviderMappers)
export const POST = route(calls.createProviderMapper, verbs.createProviderMapper)
