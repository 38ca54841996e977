import type { Client } from 'oidc-provider'
import { mayUse } from '@/lib/oidc/claims/service'
import { usableClient } from '@/lib/oidc/clients/service'

type Token = { clientId?: string; accountId?: string }

/**
 * Whether a client learns that a token is active: it is of a client that may be used and, if somebody's, of an
 * application that they may use. A client without proof learns of its own tokens alone, an
 * application of others of its application's.
 */
export async function mayIntrospect(client: Client, { clientId = '', accountId }: Token): Promise<boolean> {
  if (client.clientAuthMethod === 'none' && clientId !== client.clientId) return false
  const [asking, owner] = await Promise.all([usableClient(client.clientId), usableClient(clientId)])
  if (!asking || !owner) return false
  if (asking.application.type === 'external' && asking.application.id !== owner.application.id) return false
  return accountId === undefined || mayUse(accountId, clientId)
}
