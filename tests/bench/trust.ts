import { db } from '@/db/client'
import { networkAliases, networkAliasIps, settings } from '@/db/schema'

/** Makes the platform trust X-Forwarded-For, so that limits by address don't affect the load. */
export async function trustForwarded() {
  const [alias] = await db()
    .insert(networkAliases)
    .values({ name: `bench ${Date.now()}` })
    .returning()
  if (!alias) throw new Error('no alias was made')
  await db().insert(networkAliasIps).values({ aliasId: alias.id, ip: '127.0.0.0/8' })
  await db()
    .insert(settings)
    .values({ id: 'reverseProxy', value: [alias.id] })
    .onConflictDoUpdate({ target: settings.id, set: { value: [alias.id] } })
}

/** Returns an address that most likely no other request of the run has. */
export const anyAddress = () => Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 250)).join('.')
