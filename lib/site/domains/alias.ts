import { requiredLine } from '@/lib/base/contracts/contract'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Returns a host name as it is stored: lower case, punycode, no final dot. Returns null for any other text, such as an
 * address with a port or a path, or a number that browsers read as an IP address (docs/rules/domains.md#host-names).
 */
function hostOf(typed: string): string | null {
  const text = typed.trim().replace(/\.$/, '')
  if (text === '' || /[:/\\?#@%*_\s]/.test(text) || !URL.canParse(`https://${text}`)) return null
  const host = new URL(`https://${text}`).hostname
  if (host.length > 253 || !host.split('.').every((part) => label.test(part))) return null
  // browsers read 0x7f.1 and 2130706433 as 127.0.0.1: only the usual spelling may be stored
  if (/(^|\.)\d+$/.test(host) && host !== text) return null
  return host
}

/** A host name in a body: errorScheme if it has a scheme, errorHost if it isn't a host name. */
export const HostName = requiredLine(255)
  .refine((text) => !text.includes('://'), { error: 'errorScheme', abort: true })
  .transform((text, check) => {
    const host = hostOf(text)
    if (host === null) check.addIssue({ code: 'custom', message: 'errorHost' })
    return host ?? ''
  })
