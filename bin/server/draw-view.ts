import type { IncomingMessage } from 'node:http'
import type { DrawView } from '@/bin/server/oidc'
import { leavesPlatform, viewHeader, viewPath, writeView } from '@/lib/openid/server/view'
import { plainHeader } from '@/lib/request/page-headers'
import { giveFormToken } from './page-forms'
import { answerWithStatus } from './page-status'
import { newNonce, type SecurityHeaders } from './security-headers'

/** Headers of the request's body, which the provider has read, and those by which Next tells parts of a page. */
const unread = /^(?:content-(?:type|length)|transfer-encoding|rsc|next-.*)$/

/**
 * Returns the function that renders a page of the provider: Next renders `/platform/provider` in place of the requested
 * address. A browser that requests this address itself gets 404, because clients can't send the header with the view.
 */
export function createDrawing(security: SecurityHeaders, byNext: () => Promise<void>): DrawView {
  return async (req, res, { view, status }) => {
    const isAnswer = req.method !== 'GET' && req.method !== 'HEAD'
    const { originalUrl = req.url ?? '' } = req as IncomingMessage & { originalUrl?: string }
    giveFormToken(req, res, isAnswer ? '' : originalUrl)
    req.headers[plainHeader] = '1'
    req.url = viewPath
    if (isAnswer) req.method = 'GET'
    for (const name of Object.keys(req.headers)) if (unread.test(name)) delete req.headers[name]
    const policy = security.policy(newNonce(), leavesPlatform(view))
    req.headers[viewHeader] = writeView(view)
    req.headers['content-security-policy'] = policy
    res.setHeader('content-security-policy', policy)
    answerWithStatus(res, status)
    await byNext()
  }
}
