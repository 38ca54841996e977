import type { Client } from 'oidc-provider'
import { mayUse } from '../claims/service'
import { usableClient } from '../clients/service'
import { rowsReadWithToken } from '../token-store/joint-read'

type Token = { clientId?: string; accountId?: string }

/**
 * Returns whether a client may learn that a token is active: the token belongs to a usable client and, if it has a
 * person, to an application that the person may use. A client without authentication learns about its own tokens only,
 * an external application about those of its own clients.
 */
export async function mayIntrospect(client: Client, { clientId = '', accountId }: Token): Promise<boolean> {
  if (client.clientAuthMethod === 'none' && clientId !== client.clientId) return false
  const [requester, owner] = await Promise.all([usableClient(client.clientId), usableClient(clientId)])
  if (!requester || !owner) return false
  if (requester.application.type === 'external' && requester.application.id !== owner.application.id) return false
  return accountId === undefined || mayUse(accountId, clientId, rowsReadWithToken({ accountId, clientId })?.person)
}
