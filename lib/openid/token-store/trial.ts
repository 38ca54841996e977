import type { Transaction } from '@/db/client'
import { encrypt } from '@/lib/base/crypto/encryption'
import { lockRecordsOfGrant, lockSessionRecords, removeGrants, removeRecord, storePayload } from './queries'
import { payloadOf, recordKey } from './sealed'

type Trial = {
  /** The provider's session in which the trial ran. */
  uid: string
  accountId: string
  clientId: string
  since: Date
  /** The tokens that it was given. */
  tokens: { access?: string | undefined; refresh?: string | undefined }
}

/**
 * Ends what a trial of a client was given: its tokens, and the grant with the session's part in it if the trial made
 * them and the application has nothing else by this grant. No application is notified, because none learned of it.
 */
export async function endTrialRecords(tx: Transaction, { uid, accountId, clientId, since, tokens }: Trial, now: Date) {
  const rows = await lockSessionRecords(tx, uid, accountId)
  const [grantId] = rows.flatMap((row) => payloadOf(row).authorizations?.[clientId]?.grantId ?? [])
  const own = [
    ...(tokens.access ? [recordKey('AccessToken', tokens.access)] : []),
    ...(tokens.refresh ? [recordKey('RefreshToken', tokens.refresh)] : []),
  ]
  for (const idHash of own) await removeRecord(idHash, tx)
  const left = grantId ? await lockRecordsOfGrant(tx, grantId, now) : []
  const grant = left.find(({ model }) => model === 'Grant')
  const isNew = grant && (payloadOf(grant).iat ?? 0) >= Math.floor(since.getTime() / 1000)
  if (!grantId || !isNew || left.length > 1) return
  await removeGrants(tx, [grantId])
  for (const row of rows) {
    const session = payloadOf(row)
    const { [clientId]: _, ...authorizations } = session.authorizations ?? {}
    await storePayload(tx, row.idHash, encrypt('oidc', JSON.stringify({ ...session, authorizations }), row.idHash))
  }
}
