import { dispatch } from '@/lib/request/route'

// nothing here is ever stored, so Next needn't watch what a handler reads of its request
export const dynamic = 'force-dynamic'

export const GET = dispatch
export const POST = dispatch
export const PUT = dispatch
export const PATCH = dispatch
export const DELETE = dispatch
