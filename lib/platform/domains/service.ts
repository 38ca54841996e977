import { cached } from '@/lib/kernel/cache'
import type { CtxDomain } from '@/lib/kernel/ctx'
import { env } from '@/lib/kernel/env'
import { hostName } from './host'
import { servingDomains } from './queries'

type Served = { base: CtxDomain; byHost: Map<string, CtxDomain> }

async function loadDomains(): Promise<Served> {
  const rows = await servingDomains()
  const [baseRow] = rows
  if (!baseRow?.base) throw new Error('there is no base domain: migrations have not run')
  const { protocol, port, origin } = new URL(env().PUBLIC_URL)
  const originOf = (host: string | undefined) => (host ? `${protocol}//${host}${port ? `:${port}` : ''}` : origin)

  const byHost = new Map<string, CtxDomain>()
  let base: CtxDomain | undefined
  for (const { aliases, baseSettings, ...row } of rows) {
    const hosts = aliases.map(hostName).filter(Boolean)
    // with baseSettings the locale settings are the base domain's; and a domain without a language has no pages
    const locales = baseSettings || row.locales.length === 0 ? baseRow.locales : row.locales
    const domain: CtxDomain = {
      id: row.id,
      base: row.base,
      origin: row.base ? origin : originOf(hosts[0]),
      styleTemplate: row.styleTemplate,
      imageCode: row.imageCode,
      devicesIdAttributes: row.devicesIdAttributes,
      locales,
    }
    base ??= domain
    for (const host of hosts) if (!byHost.has(host)) byHost.set(host, domain)
  }
  return { base: base as CtxDomain, byHost }
}

/**
 * The domain that serves a Host header: by its alias among the enabled domains, else the base domain.
 * Origins come from the configuration, never from the header.
 */
export async function domainByHost(host: string): Promise<CtxDomain> {
  const { base, byHost } = await cached('domains', loadDomains)
  return byHost.get(hostName(host)) ?? base
}
