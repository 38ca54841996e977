import { domainToASCII } from 'node:url'

/** A host name as it is compared: without port and final dot, lower case, punycode. Empty if it is none. */
export function hostName(host: string): string {
  const [, name = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(host.trim()) ?? []
  return domainToASCII(name.replace(/\.$/, ''))
}
