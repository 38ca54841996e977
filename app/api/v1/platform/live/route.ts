import { liveRoute } from '@/lib/request/live'

export const GET = liveRoute
