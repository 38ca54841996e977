import type { DrawView } from '@/bin/server/oidc'
import { leavesPlatform, viewHeader, viewPath, writeView } from '@/lib/oidc/provider/view'
import type { SecurityHeaders } from './security-headers'

/** What belongs to the body of the request, which the provider has read. */
const ofBody = ['content-type', 'content-length', 'transfer-encoding']

/**
 * Returns how a page of the provider is drawn: Next renders `/platform/provider` in place of the requested address. A
 * browser that asks for that address itself finds no page there, because clients can't send the header with the view.
 */
export function createDrawing(security: SecurityHeaders, byNext: () => Promise<void>): DrawView {
  return async (req, res, { view, status }) => {
    const [, query = ''] = (req.url ?? '').split('?')
    // the number by which Next tells parts of a page from the whole
    const part = new URLSearchParams(query).get('_rsc')
    req.url = part === null ? viewPath : `${viewPath}?${new URLSearchParams({ _rsc: part })}`
    if (req.method !== 'HEAD') req.method = 'GET'
    for (const name of ofBody) delete req.headers[name]
    const policy = security.policy(null, leavesPlatform(view))
    req.headers[viewHeader] = writeView(view)
    req.headers['content-security-policy'] = policy
    res.setHeader('content-security-policy', policy)
    // Next answers a page that it could draw with 200
    const { writeHead } = res
    res.statusCode = 200
    res.writeHead = ((given: number, ...rest: unknown[]) =>
      (writeHead as (...args: unknown[]) => typeof res).call(
        res,
        given === 200 ? status : given,
        ...rest,
      )) as typeof writeHead
    await byNext()
  }
}
