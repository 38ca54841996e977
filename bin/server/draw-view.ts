import type { DrawView } from '@/bin/server/oidc'
import { leavesPlatform, viewHeader, viewPath, writeView } from '@/lib/openid/server/view'
import type { SecurityHeaders } from './security-headers'

/** Headers of the request's body, which the provider has read. */
const ofBody = ['content-type', 'content-length', 'transfer-encoding']

/**
 * Returns the function that renders a page of the provider: Next renders `/platform/provider` in place of the requested
 * address. A browser that requests this address itself gets 404, because clients can't send the header with the view.
 */
export function createDrawing(security: SecurityHeaders, byNext: () => Promise<void>): DrawView {
  return async (req, res, { view, status }) => {
    const [, query = ''] = (req.url ?? '').split('?')
    // the query parameter by which Next tells parts of a page from a whole page
    const part = new URLSearchParams(query).get('_rsc')
    req.url = part === null ? viewPath : `${viewPath}?${new URLSearchParams({ _rsc: part })}`
    if (req.method !== 'HEAD') req.method = 'GET'
    for (const name of ofBody) delete req.headers[name]
    const policy = security.policy(leavesPlatform(view))
    req.headers[viewHeader] = writeView(view)
    req.headers['content-security-policy'] = policy
    res.setHeader('content-security-policy', policy)
    // Next answers 200 for every page that it could render
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
