import { domainToASCII } from 'node:url'

/**
 * Normalizes a host name for comparison: no port, no final dot, lower case, punycode. Returns '' for an invalid one.
 */
export function hostName(host: string): string {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host.trim()) ?? []
  return domainToASCII(name.replace(/\.$/, ''))
}
