import type { Transaction } from '@/db/client'
import { encrypt } from '@/lib/base/crypto/encryption'
import { payloadOf, recordKey } from './encrypted-record'
import { lockRecordsOfGrant, lockSessionRecords, removeGrants, removeRecord, storePayload } from './queries'

type Trial = {
  /** The OpenID Provider's session in which the trial ran. */
  uid: string
  accountId: string
  clientId: string
  since: Date
  /** The tokens that it was given. */
  tokens: { access?: string | undefined; refresh?: string | undefined }
}

/**
 * Ends the tokens of a trial. Also ends the grant, with its part in the session, if the trial created the grant and the
 * application has nothing else by it. No application is notified, because none learned of the trial.
 */
export async function endTrialRecords(tx: Transaction, { uid, accountId, clientId, since, tokens }: Trial, now: Date) {
  const rows = await lockSessionRecords(tx, uid, accountId)
  const [grantId] = rows.flatMap((row) => payloadOf(row).authorizations?.[clientId]?.grantId ?? [])
  const tokenKeys = [
    ...(tokens.access ? [recordKey('AccessToken', tokens.access)] : []),
    ...(tokens.refresh ? [recordKey('RefreshToken', tokens.refresh)] : []),
  ]
  for (const idHash of tokenKeys) await removeRecord(idHash, tx)
  const records = grantId ? await lockRecordsOfGrant(tx, grantId, now) : []
  const grant = records.find(({ model }) => model === 'Grant')
  const isNew = grant && (payloadOf(grant).iat ?? 0) >= Math.floor(since.getTime() / 1000)
  if (!grantId || !isNew || records.length > 1) return
  await removeGrants(tx, [grantId])
  for (const row of rows) {
    const session = payloadOf(row)
    const { [clientId]: _, ...authorizations } = session.authorizations ?? {}
    await storePayload(tx, row.idHash, encrypt('oidc', JSON.stringify({ ...session, authorizations }), row.idHash))
  }
}
