import { generateKeyPair, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'
import { db, type Transaction } from '@/db/client'
import { cached, forget, invalidate } from '@/lib/kernel/cache'
import { seal, unseal } from '@/lib/kernel/crypto/secrets'
import { activateKey, allKeys, insertKey, lockKeys, removeRetired, retireKeys } from './queries'
import { keptFor, rotationStep } from './rotation'

const cacheName = 'oidc-keys'

async function createKey(tx: Transaction, state: 'next' | 'active', now: Date) {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const id = randomUUID()
  const jwk = seal('oidc', JSON.stringify(privateKey.export({ format: 'jwk' })), id)
  await insertKey(tx, { id, state, jwk, createdAt: now, activatedAt: state === 'active' ? now : null })
}

/** Takes the step of rotation that is due, if one is; makes the first keys. Every process then reads them anew. */
export async function rotateKeys(now: Date): Promise<void> {
  await db().transaction(async (tx) => {
    await lockKeys(tx)
    const { activate, retire, createActive, createNext } = rotationStep(await allKeys(tx), now)
    if (retire.length > 0) await retireKeys(tx, retire, now)
    if (activate) await activateKey(tx, activate, now)
    if (createActive) await createKey(tx, 'active', now)
    if (createNext) await createKey(tx, 'next', now)
    const removed = await removeRetired(tx, new Date(now.getTime() - keptFor))
    if (activate || createActive || createNext || removed.rowCount) await invalidate(tx, cacheName)
  })
}

type Rows = Awaited<ReturnType<typeof allKeys>>

// as long as the rows are kept, so are the keys that they hold
const opened = new WeakMap<Rows, JWK[]>()

function open(rows: Rows): JWK[] {
  const known = opened.get(rows)
  if (known) return known
  const keys = rows.map(({ id, jwk }) => ({
    ...JSON.parse(unseal('oidc', jwk, id)),
    kid: id,
    use: 'sig',
    alg: 'RS256',
  }))
  opened.set(rows, keys)
  return keys
}

/** The private keys, the one that signs first; makes the first ones where there are none. */
export async function signingKeys(now: Date): Promise<JWK[]> {
  const read = () => cached(cacheName, () => allKeys())
  let rows = await read()
  if (!rows.some(({ state }) => state === 'active')) {
    await rotateKeys(now)
    forget(cacheName)
    rows = await read()
  }
  return open(rows)
}
