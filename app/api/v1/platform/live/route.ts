import { liveRoute } from '@/lib/context/live'

export const GET = liveRoute
