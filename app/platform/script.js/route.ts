import { publicScript } from '@/components/plain/public-script'
import { immutableResponse } from '@/lib/base/http/immutable-response'

/** The script of public pages. */
export const GET = (request: Request) => immutableResponse(request, publicScript, 'text/javascript; charset=utf-8')
