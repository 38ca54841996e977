import { randomBytes } from 'node:crypto'

type Options = { https: boolean; dev: boolean }
export type SecurityHeaders = {
  /**
   * For one answer. With `leaving` a form of the page may lead anywhere: browsers apply the limit to redirects after the
   * form too, and an application may redirect further. Next takes the nonce for its scripts from the policy in the
   * request's headers.
   */
  policy(nonce: string, leaving?: boolean): string
  /** Headers that are the same for every answer. */
  constant: Record<string, string>
}

/** Returns a nonce for the scripts of one answer. */
export const newNonce = (): string => randomBytes(16).toString('base64')

/** Headers that every answer gets unless its handler sets stricter ones (docs/quality.md#s14). */
export function securityHeaders({ https, dev }: Options): SecurityHeaders {
  const policy = (nonce: string, leaving = false) =>
    [
      "default-src 'self'",
      `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
      // Radix and sonner set style attributes
      "style-src 'self' 'unsafe-inline'",
      // pictures of the platform, and those that style sheets or scripts generate
      "img-src 'self' data: blob:",
      "font-src 'self'",
      `connect-src 'self'${dev ? ' ws: wss:' : ''}`,
      "object-src 'none'",
      "frame-ancestors 'none'",
      ...(leaving ? [] : ["form-action 'self'"]),
      "base-uri 'none'",
    ].join('; ')
  return {
    policy,
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
