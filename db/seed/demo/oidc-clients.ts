import type { Transaction } from '@/db/client'
import { oidcClients } from '@/db/schema/oidc'
import { stableId } from '@/lib/base/runtime/stable-id'
import { encryptSecret } from '@/lib/openid/clients/service'
import { daysAgo } from './random'

/** The secrets of the demo's confidential clients: known to everybody, as its passwords are. */
export const demoClientSecret = (clientId: string) => `${clientId}-demo-secret`

const person = ['authorization_code', 'refresh_token']

const demoClients = [
  { application: 'procurement', clientId: 'procurement', type: 'confidential', port: 4001, grantTypes: person },
  { application: 'warehouse', clientId: 'warehouse', type: 'public', port: 4002, grantTypes: person },
  {
    application: 'warehouse',
    clientId: 'warehouse-sync',
    type: 'confidential',
    port: null,
    grantTypes: ['client_credentials'],
  },
  { application: 'documentation', clientId: 'documentation', type: 'public', port: 4003, grantTypes: person },
  { application: 'partner', clientId: 'partner', type: 'confidential', port: 4004, grantTypes: person },
  {
    application: 'warehouse',
    clientId: 'terminal',
    type: 'public',
    port: null,
    grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  },
] as const

/** A client for each application, at local ports for trying, and one that works without people. */
export async function seedOidcClients(tx: Transaction) {
  await tx.insert(oidcClients).values(
    demoClients.map(({ application, clientId, type, port, grantTypes }) => {
      const at = (path: string) => (port ? [`http://localhost:${port}${path}`] : [])
      return {
        id: stableId('demo oidc client', clientId),
        applicationId: stableId('demo application', application),
        clientId,
        name: clientId,
        type,
        authMethod: type === 'public' ? ('none' as const) : ('client_secret_basic' as const),
        secrets:
          type === 'confidential'
            ? [{ sealed: encryptSecret(demoClientSecret(clientId), clientId), expiresAt: null }]
            : [],
        // next-auth has its own address for it
        redirectUris: [...at('/callback'), ...at('/api/auth/callback/platform')],
        postLogoutRedirectUris: at('/'),
        grantTypes: [...grantTypes],
        backchannelLogoutUri: at('/backchannel-logout')[0] ?? null,
        createdAt: daysAgo(200),
        updatedAt: daysAgo(200),
      }
    }),
  )
}
