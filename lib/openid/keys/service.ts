import { generateKeyPair, type KeyObject, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'
import { db, type Transaction } from '@/db/client'
import type { SigningAlg } from '@/db/schema/oidc'
import { cached, dropCached, invalidate } from '@/lib/base/cache/cache'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { signingAlgs } from '../clients/contract'
import { activateKey, insertKey, lockKeys, removeRetiredKeys, retireKeys, selectKeys } from './queries'
import { publishedAfter, rotationStep } from './rotation'

const cacheName = 'oidc-keys'

type KeyPair = { privateKey: KeyObject }
const generate = promisify(generateKeyPair)
const generators: Record<SigningAlg, () => Promise<KeyPair>> = {
  RS256: () => generate('rsa', { modulusLength: 2048 }),
  // not the key for RS256: each key is for one algorithm only
  PS256: () => generate('rsa', { modulusLength: 2048 }),
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
}

async function createKey(tx: Transaction, alg: SigningAlg, state: 'next' | 'active', now: Date) {
  const { privateKey } = await generators[alg]()
  const id = randomUUID()
  const jwk = encrypt('oidc', JSON.stringify(privateKey.export({ format: 'jwk' })), id)
  await insertKey(tx, { id, alg, state, jwk, createdAt: now, activatedAt: state === 'active' ? now : null })
}

/**
 * Does the next step of the rotation of each algorithm, if it is time for one, and creates the first keys. Every
 * process then loads the keys anew.
 */
export async function rotateKeys(now: Date): Promise<void> {
  await db().transaction(async (tx) => {
    await lockKeys(tx)
    const keys = await selectKeys(tx)
    let changed = false
    for (const alg of signingAlgs) {
      const algKeys = keys.filter((key) => key.alg === alg)
      const { activate, retire, createActive, createNext } = rotationStep(algKeys, now)
      if (retire.length > 0) await retireKeys(tx, alg, retire, now)
      if (activate) await activateKey(tx, alg, activate, now)
      if (createActive) await createKey(tx, alg, 'active', now)
      if (createNext) await createKey(tx, alg, 'next', now)
      changed ||= Boolean(activate || createActive || createNext)
    }
    const removed = await removeRetiredKeys(tx, new Date(now.getTime() - publishedAfter))
    if (changed || removed > 0) await invalidate(tx, cacheName)
  })
}

type Rows = Awaited<ReturnType<typeof selectKeys>>

// decrypted keys stay in memory for as long as their rows are cached
const decryptedKeys = new WeakMap<Rows, JWK[]>()

function decryptKeys(rows: Rows): JWK[] {
  const cachedKeys = decryptedKeys.get(rows)
  if (cachedKeys) return cachedKeys
  const keys = rows.map(({ id, jwk, alg }) => ({ ...JSON.parse(decrypt('oidc', jwk, id)), kid: id, use: 'sig', alg }))
  decryptedKeys.set(rows, keys)
  return keys
}

/**
 * Returns the private keys, the signing one of each algorithm first; creates the first ones of an algorithm that has
 * none.
 */
export async function signingKeys(now: Date): Promise<JWK[]> {
  const readRows = () => cached(cacheName, () => selectKeys())
  let rows = await readRows()
  const signs = (alg: SigningAlg) => rows.some((key) => key.alg === alg && key.state === 'active')
  if (!signingAlgs.every(signs)) {
    await rotateKeys(now)
    dropCached(cacheName)
    rows = await readRows()
  }
  return decryptKeys(rows)
}
