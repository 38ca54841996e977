import { randomBytes } from 'node:crypto'

type Options = { https: boolean; dev: boolean }
export type SecurityHeaders = {
  /**
   * For one request; `metrics` is the address of the analytics counter, which may talk to its own host. With `leaving` a
   * form of the page may lead anywhere: browsers apply the limit to redirects after the form too, and an application may
   * redirect further. Next takes the nonce for its scripts from the policy in the request's headers.
   */
  policy(metrics: string | null, leaving?: boolean): string
  /** Headers that are the same for every answer. */
  constant: Record<string, string>
}

/** Headers that every answer gets unless its handler sets stricter ones (docs/quality.md#s14). */
export function securityHeaders({ https, dev }: Options): SecurityHeaders {
  const policy = (nonce: string, metrics: string | null, leaving: boolean) => {
    const counter = metrics ? ` ${new URL(metrics).origin}` : ''
    return [
      "default-src 'self'",
      `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
      // Radix and sonner set style attributes
      "style-src 'self' 'unsafe-inline'",
      // pictures of the platform, those that style sheets or scripts generate, and those of the counter
      `img-src 'self' data: blob:${counter}`,
      "font-src 'self'",
      `connect-src 'self'${counter}${dev ? ' ws: wss:' : ''}`,
      "object-src 'none'",
      "frame-ancestors 'none'",
      ...(leaving ? [] : ["form-action 'self'"]),
      "base-uri 'none'",
    ].join('; ')
  }
  return {
    policy: (metrics, leaving = false) => policy(randomBytes(16).toString('base64'), metrics, leaving),
    constant: {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      ...(https ? { 'strict-transport-security': 'max-age=31536000' } : {}),
    },
  }
}
