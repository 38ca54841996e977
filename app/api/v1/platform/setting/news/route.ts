import { route } from '@/lib/context/route'
import * as calls from '@/lib/profile/news/contract'
import * as verbs from '@/lib/profile/news/service'

export const GET = route(calls.listNews, verbs.listNews)
export const POST = route(calls.createNewsItem, verbs.createNewsItem)
