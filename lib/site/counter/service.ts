import { randomToken } from '@/lib/base/crypto/encryption'
import { escaped } from '../domains/standalone-page'
import { platformSettings } from '../settings/service'

/**
 * Returns the page in which the analytics counter runs, for a page that is read and the place before it; 404 without a
 * counter. The policy gives it no origin, also when it is opened by itself: its script reads nothing of the platform,
 * opens no window and leads nowhere. It may talk to its own host (docs/adr/0014).
 */
export async function counterFrame(page: string, referrer: string): Promise<Response> {
  const { metricsScript } = await platformSettings()
  if (!metricsScript) return new Response(null, { status: 404 })
  const [nonce, { origin }] = [randomToken(), new URL(metricsScript)]
  const policy = [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `connect-src ${origin}`,
    `img-src ${origin} data:`,
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ')
  const about = `data-page="${escaped(page)}" data-referrer="${escaped(referrer)}"`
  const script = `<script async src="${escaped(metricsScript)}" nonce="${nonce}" ${about}></script>`
  return new Response(`<!doctype html><meta charset="utf-8"><title></title>${script}`, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'x-robots-tag': 'noindex',
    },
  })
}
