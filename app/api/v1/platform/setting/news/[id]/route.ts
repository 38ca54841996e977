import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/news/contract'
import * as verbs from '@/lib/profile/news/service'

export const GET = route(calls.readNewsItem, verbs.readNewsItem)
export const PUT = route(calls.updateNewsItem, verbs.updateNewsItem)
export const DELETE = route(calls.deleteNewsItem, verbs.deleteNewsItem)
