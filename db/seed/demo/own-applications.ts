import { eq } from 'drizzle-orm'
import type { Transaction } from '@/db/client'
import { oidcClients } from '@/db/schema/oidc'
import { applications } from '@/db/schema/platform'
import { invalidate } from '@/lib/base/cache/cache'
import { stableId } from '@/lib/base/runtime/stable-id'

/** The demo's applications that the demo itself runs: every one that people may be led to. */
export const ownApplications = ['procurement', 'warehouse', 'partner'] as const
export type OwnApplication = (typeof ownApplications)[number]

/** The client of such an application, which keeps no secret. */
export const ownClientId = (code: OwnApplication) => `demo-${code}`

/**
 * Puts the demo's applications at the addresses where they run now: their tiles lead there, and their clients return
 * there. May run again with other addresses.
 */
export async function placeApplications(tx: Transaction, origins: Partial<Record<OwnApplication, string>>) {
  for (const code of ownApplications) {
    const origin = origins[code]
    if (!origin) continue
    const [application] = await tx
      .update(applications)
      .set({ url: `${origin}/` })
      .where(eq(applications.code, code))
      .returning({ id: applications.id })
    // somebody has removed it from their demo
    if (!application) continue
    const clientId = ownClientId(code)
    const addresses = {
      redirectUris: [`${origin}/callback`],
      postLogoutRedirectUris: [`${origin}/signed-out`],
      backchannelLogoutUri: `${origin}/backchannel-logout`,
    }
    await tx
      .insert(oidcClients)
      .values({
        ...addresses,
        id: stableId('demo oidc client', clientId),
        applicationId: application.id,
        clientId,
        name: clientId,
        type: 'public',
        authMethod: 'none',
        grantTypes: ['authorization_code', 'refresh_token'],
      })
      .onConflictDoUpdate({ target: oidcClients.clientId, set: addresses })
  }
  for (const cache of ['applications', 'oidc-clients']) await invalidate(tx, cache)
}
