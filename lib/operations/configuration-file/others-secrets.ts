import { db } from '@/db/client'
import { withMaskedTechnical } from '@/lib/applications/applications/details'
import { holdsApplication, mayChangeApplication } from '@/lib/applications/applications/service'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { isAdministrator } from '@/lib/base/effective-rights/service'
import { mayChangeProvider } from '@/lib/directory-sync/providers/who-may-change'
import { holdsData } from '@/lib/exchanges/exchanges/service'
import { withMaskedAddress, withMaskedAddresses } from './addresses'
import { type Content, keyOf } from './format'
import type { Current } from './read'

const without = <T extends { secret: string | null }>(one: T): T => ({ ...one, secret: null })

/**
 * Returns a configuration without the secrets, and the addresses that may have a token, of what is closed to the caller:
 * applications and providers of whoever holds more, exchanges whose data they lack. To `read` also leaves out those of
 * applications that are fixed, and those of exchanges unless the caller is an administrator; an import compares these
 * (docs/rules/administration-screens.md#configuration).
 */
export async function withoutOthersSecrets(
  ctx: Ctx,
  { content, stored }: Pick<Current, 'content' | 'stored'>,
  use: 'read' | 'compare',
): Promise<Content> {
  async function openOf(part: 'itself' | 'clients') {
    const open = new Set<string>()
    if (holdsMethod(ctx, 'applications.write'))
      for (const [code, { id }] of stored.applications)
        if (await (use === 'read' ? mayChangeApplication(ctx, id, part) : holdsApplication(ctx, id))) open.add(code)
    return open
  }
  async function openProviders() {
    const open = new Set<string>()
    for (const [key, { id }] of stored.providers) if (await mayChangeProvider(ctx, id)) open.add(key)
    return open
  }
  const [clients, applications, providers] = [await openOf('clients'), await openOf('itself'), await openProviders()]
  // no screen shows the secret of an exchange
  const mayExchange = use === 'read' ? await isAdministrator(db(), ctx) : holdsMethod(ctx, 'integration.write')
  return {
    ...content,
    applications: content.applications.map((one) => (applications.has(one.code) ? one : withMaskedTechnical(one))),
    clients: content.clients.map((one) => (clients.has(one.application) ? one : without(withMaskedAddresses(one)))),
    webhooks: content.webhooks.map((one) =>
      applications.has(one.application) ? one : without(withMaskedAddress(one)),
    ),
    providers: content.providers.map((one) => (providers.has(keyOf('providers', one)) ? one : without(one))),
    exchanges: content.exchanges.map((one) => (mayExchange && holdsData(ctx, one) ? one : without(one))),
  }
}
