import { accessOf } from '@/lib/access/roles/service'
import { apiAddress } from '@/lib/applications/applications/address'
import { cached } from '@/lib/base/cache/cache'
import { usableClient } from '../clients/service'
import { selectAddressedApplications, selectServiceMethodIds } from './queries'

type Api = Awaited<ReturnType<typeof selectAddressedApplications>>[number]

async function readApis(): Promise<Map<string, Api>> {
  const apis = new Map<string, Api>()
  const rows = await selectAddressedApplications()
  // of several applications at one address, the one with methods is the API
  for (const api of rows.sort((a, b) => Number(b.methods.length > 0) - Number(a.methods.length > 0))) {
    const address = apiAddress(api.url)
    if (address && !apis.has(address)) apis.set(address, api)
  }
  return apis
}

/** Returns the enabled application at an address, which accepts access tokens; null when there is none. */
export async function apiAt(address: string): Promise<Api | null> {
  const apis = await cached('oidc-clients:resources', readApis)
  return apis.get(apiAddress(address) ?? '') ?? null
}

/**
 * Returns the codes of the API's own methods that the holder of a token for it has: the person, or without a person the
 * client's service account. Empty for an address without an API.
 */
export async function methodsAt(address: string, { accountId, clientId }: { accountId?: string; clientId?: string }) {
  const api = await apiAt(address)
  if (!api || api.methods.length === 0) return []
  const client = clientId && !accountId ? await usableClient(clientId) : null
  const heldIds = accountId
    ? (await accessOf(accountId)).methodIds
    : await (client ? selectServiceMethodIds(client.application.id) : new Set<string>())
  return api.methods.filter(({ id }) => heldIds.has(id)).map(({ code }) => code)
}
