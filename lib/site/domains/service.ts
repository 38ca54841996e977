import { cached } from '@/lib/base/cache/cache'
import type { CtxDomain } from '@/lib/base/context/ctx'
import { env } from '@/lib/base/runtime/env'
import { defaultTimeZone, timeZoneFrom } from '@/lib/base/text/time-zone'
import { hostName } from './host'
import { selectServingDomains } from './queries'

type ServedDomains = { base: CtxDomain; byHost: Map<string, CtxDomain>; byId: Map<string, CtxDomain> }

async function loadDomains(): Promise<ServedDomains> {
  const rows = await selectServingDomains()
  const [baseRow] = rows
  if (!baseRow?.base) throw new Error('there is no base domain: migrations have not run')
  const { protocol, port, origin } = new URL(env().PUBLIC_URL)
  const originOf = (host: string | undefined) => (host ? `${protocol}//${host}${port ? `:${port}` : ''}` : origin)

  const byHost = new Map<string, CtxDomain>()
  const byId = new Map<string, CtxDomain>()
  let base: CtxDomain | undefined
  for (const { aliases, baseSettings, ...row } of rows) {
    const hosts = aliases.map(hostName).filter(Boolean)
    // a domain with baseSettings has the base domain's languages; so has one without a language, or it had no pages
    const locales = baseSettings || row.locales.length === 0 ? baseRow.locales : row.locales
    const domain: CtxDomain = {
      id: row.id,
      base: row.base,
      origin: row.base ? origin : originOf(hosts[0]),
      styleTemplate: row.styleTemplate,
      imageCode: row.imageCode,
      timeZone: timeZoneFrom(row.timeZone) ?? defaultTimeZone,
      devicesIdAttributes: row.devicesIdAttributes,
      locales,
    }
    base ??= domain
    byId.set(domain.id, domain)
    for (const host of hosts) if (!byHost.has(host)) byHost.set(host, domain)
  }
  return { base: base as CtxDomain, byHost, byId }
}

/**
 * Returns the domain that serves a Host header: the enabled domain with this alias, else the base domain. Origins come
 * from the configuration and the stored aliases, never from the header.
 */
export async function domainByHost(host: string): Promise<CtxDomain> {
  const { base, byHost } = await cached('domains', loadDomains)
  return byHost.get(hostName(host)) ?? base
}

/** Returns whether a served domain has this host name. */
export async function isServedHost(host: string): Promise<boolean> {
  const { byHost } = await cached('domains', loadDomains)
  return byHost.has(hostName(host))
}

/** Returns the served domains, the base domain first. */
export async function servedDomains(): Promise<CtxDomain[]> {
  const { byId } = await cached('domains', loadDomains)
  return [...byId.values()]
}

/** Returns a served domain by its id; the base domain if there is none. */
export async function servedDomain(id: string): Promise<CtxDomain> {
  const { base, byId } = await cached('domains', loadDomains)
  return byId.get(id) ?? base
}
