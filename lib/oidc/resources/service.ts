import { cached } from '@/lib/kernel/cache'
import { usableClient } from '@/lib/oidc/clients/service'
import { accessOf } from '@/lib/people/roles/service'
import { addressedApplications, serviceMethodIds } from './queries'

type Api = Awaited<ReturnType<typeof addressedApplications>>[number]

/** An address as it is compared: with its slash, without letter case in the host; undefined for what is none. */
const normal = (address: string) => URL.parse(address)?.href

async function load(): Promise<Map<string, Api>> {
  const apis = new Map<string, Api>()
  for (const api of await addressedApplications()) {
    const address = normal(api.url)
    if (address && !apis.has(address)) apis.set(address, api)
  }
  return apis
}

/** The enabled application at this address, which takes access tokens of its own; null when there is none. */
export async function apiAt(address: string): Promise<Api | null> {
  const apis = await cached('oidc-clients:resources', load)
  return apis.get(normal(address) ?? '') ?? null
}

/**
 * Codes of the API's own methods that the holder of a token for it has: the person's, or without a person those of
 * the client's service account. Empty for an address where there is no API.
 */
export async function methodsAt(address: string, { accountId, clientId }: { accountId?: string; clientId?: string }) {
  const api = await apiAt(address)
  if (!api || api.methods.length === 0) return []
  const client = clientId && !accountId ? await usableClient(clientId) : null
  const held = accountId
    ? (await accessOf(accountId)).methodIds
    : await (client ? serviceMethodIds(client.application.id) : new Set<string>())
  return api.methods.filter(({ id }) => held.has(id)).map(({ code }) => code)
}
