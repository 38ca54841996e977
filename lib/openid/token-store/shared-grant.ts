import type { AdapterPayload } from 'oidc-provider'
import { db } from '@/db/client'
import { encrypt } from '@/lib/base/crypto/encryption'
import { insertRecord, lockRecord, storeRecord } from './queries'
import { payloadOf } from './sealed'

type Row = Parameters<typeof storeRecord>[0]
type Resources = Record<string, string>

// the provider declares no members of a grant's resources
const resourcesOf = ({ resources }: AdapterPayload) => (resources ?? {}) as Resources

/** Returns all scopes that either of them has for each resource. */
function joined(one: Resources, other: Resources): Resources {
  const scopes = (resource: string) => [one[resource], other[resource]].flatMap((text) => text?.split(' ') ?? [])
  const all = [...Object.keys(one), ...Object.keys(other)]
  return Object.fromEntries(all.map((resource) => [resource, [...new Set(scopes(resource))].join(' ')]))
}

/** Stores a grant. Resources that other requests have added meanwhile stay. */
export async function storeGrant(row: Row, payload: AdapterPayload) {
  if (await insertRecord(row)) return
  await db().transaction(async (tx) => {
    const stored = await lockRecord(tx, row.idHash)
    const before: AdapterPayload = stored ? payloadOf(stored) : {}
    const resources = joined(resourcesOf(before), resourcesOf(payload))
    const whole = Object.keys(resources).length > 0 ? { ...payload, resources } : payload
    await storeRecord({ ...row, payload: encrypt('oidc', JSON.stringify(whole), row.idHash) }, tx)
  })
}
