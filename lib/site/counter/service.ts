import { randomToken } from '@/lib/base/crypto/encryption'
import { escaped } from '../domains/standalone-page'
import { platformSettings } from '../settings/service'

/**
 * Returns the page in which the analytics counter runs, for a visited page and its referrer; 404 without a counter. The
 * policy gives it no origin, also when it is opened directly: its script can't read data of the platform, open windows
 * or navigate. It may call its own host (docs/adr/0014).
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
  const attributes = `data-page="${escaped(page)}" data-referrer="${escaped(referrer)}"`
  const script = `<script async src="${escaped(metricsScript)}" nonce="${nonce}" ${attributes}></script>`
  return new Response(`<!doctype html><meta charset="utf-8"><title></title>${script}`, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'x-robots-tag': 'noindex',
    },
  })
}
