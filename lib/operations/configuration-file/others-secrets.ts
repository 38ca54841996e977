import { db } from '@/db/client'
import { holdsApplication, mayChangeApplication } from '@/lib/applications/applications/service'
import { holdsMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { isAdministrator } from '@/lib/base/effective-rights/service'
import { mayChangeProvider } from '@/lib/directory-sync/providers/who-may-change'
import { holdsData } from '@/lib/exchanges/exchanges/service'
import { withMaskedAddresses } from './addresses'
import type { Current } from './read'
import { type Content, keyOf } from './sections'

const withoutSecret = <T extends { secret: string | null }>(object: T): T => ({ ...object, secret: null })

/**
 * Returns a configuration without some secrets, and without the addresses that may have a token: those of applications
 * and providers with more rights than the caller has, and of exchanges whose data the caller may not see. `read` also
 * leaves out those of applications that are fixed, and those of exchanges unless the caller is an administrator; an
 * import compares these (docs/rules/administration-screens.md#configuration).
 */
export async function withoutOthersSecrets(
  ctx: Ctx,
  { content, stored }: Pick<Current, 'content' | 'stored'>,
  use: 'read' | 'compare',
): Promise<Content> {
  async function changeableApplications(part: 'itself' | 'clients') {
    const changeableKeys = new Set<string>()
    if (holdsMethod(ctx, 'applications.write'))
      for (const [code, { id }] of stored.applications)
        if (await (use === 'read' ? mayChangeApplication(ctx, id, part) : holdsApplication(ctx, id)))
          changeableKeys.add(code)
    return changeableKeys
  }
  async function changeableProviders() {
    const changeableKeys = new Set<string>()
    for (const [key, { id }] of stored.providers) if (await mayChangeProvider(ctx, id)) changeableKeys.add(key)
    return changeableKeys
  }
  const [clients, applications, providers] = [
    await changeableApplications('clients'),
    await changeableApplications('itself'),
    await changeableProviders(),
  ]
  // no screen shows the secret of an exchange
  const mayExchange = use === 'read' ? await isAdministrator(db(), ctx) : holdsMethod(ctx, 'integration.write')
  return {
    ...content,
    applications: content.applications.map((item) =>
      applications.has(item.code) ? item : withMaskedAddresses('applications', item),
    ),
    clients: content.clients.map((item) =>
      clients.has(item.application) ? item : withoutSecret(withMaskedAddresses('clients', item)),
    ),
    webhooks: content.webhooks.map((item) =>
      applications.has(item.application) ? item : withoutSecret(withMaskedAddresses('webhooks', item)),
    ),
    providers: content.providers.map((item) => (providers.has(keyOf('providers', item)) ? item : withoutSecret(item))),
    exchanges: content.exchanges.map((item) => (mayExchange && holdsData(ctx, item) ? item : withoutSecret(item))),
  }
}
