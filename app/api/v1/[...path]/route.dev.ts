import { answerRest } from '@/lib/request/rest'

// only a development server asks Next for the REST API, so that changes count at once (bin/server/rest.ts)
export const dynamic = 'force-dynamic'

export const GET = answerRest
export const POST = answerRest
export const PUT = answerRest
export const PATCH = answerRest
export const DELETE = answerRest
