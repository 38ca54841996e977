import type { AdapterPayload } from 'oidc-provider'
import { db } from '@/db/client'
import { encrypt } from '@/lib/base/crypto/encryption'
import { payloadOf } from './encrypted-record'
import { insertRecord, lockRecord, storeRecord } from './queries'

type Row = Parameters<typeof storeRecord>[0]
type Resources = Record<string, string>

// oidc-provider declares no members of a grant's resources
const resourcesOf = ({ resources }: AdapterPayload) => (resources ?? {}) as Resources

/** Returns for each resource the scopes that either grant has. */
function mergedResources(first: Resources, second: Resources): Resources {
  const scopes = (resource: string) => [first[resource], second[resource]].flatMap((text) => text?.split(' ') ?? [])
  const names = [...Object.keys(first), ...Object.keys(second)]
  return Object.fromEntries(names.map((resource) => [resource, [...new Set(scopes(resource))].join(' ')]))
}

/** Stores a grant. Resources that other requests have added since stay. */
export async function storeGrant(row: Row, payload: AdapterPayload) {
  if (await insertRecord(row)) return
  await db().transaction(async (tx) => {
    const stored = await lockRecord(tx, row.idHash)
    const before: AdapterPayload = stored ? payloadOf(stored) : {}
    const resources = mergedResources(resourcesOf(before), resourcesOf(payload))
    const merged = Object.keys(resources).length > 0 ? { ...payload, resources } : payload
    await storeRecord({ ...row, payload: encrypt('oidc', JSON.stringify(merged), row.idHash) }, tx)
  })
}
