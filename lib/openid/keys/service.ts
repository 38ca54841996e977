import { generateKeyPair, type KeyObject, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'
import { db, type Transaction } from '@/db/client'
import type { SigningAlg } from '@/db/schema/oidc'
import { cached, dropCached, invalidate } from '@/lib/base/cache/cache'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { signingAlgs } from '../clients/contract'
import { activateKey, insertKey, lockKeys, removeRetiredKeys, retireKeys, selectKeys } from './queries'
import { keptFor, rotationStep } from './rotation'

const cacheName = 'oidc-keys'

type KeyPair = { privateKey: KeyObject }
const generate = promisify(generateKeyPair)
const makers: Record<SigningAlg, () => Promise<KeyPair>> = {
  RS256: () => generate('rsa', { modulusLength: 2048 }),
  // not the key for RS256: each key is for one algorithm only
  PS256: () => generate('rsa', { modulusLength: 2048 }),
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
}

async function createKey(tx: Transaction, alg: SigningAlg, state: 'next' | 'active', now: Date) {
  const { privateKey } = await makers[alg]()
  const id = randomUUID()
  const jwk = encrypt('oidc', JSON.stringify(privateKey.export({ format: 'jwk' })), id)
  await insertKey(tx, { id, alg, state, jwk, createdAt: now, activatedAt: state === 'active' ? now : null })
}

/**
 * Takes the step of rotation that is due for each algorithm, and creates the first keys. Every process then loads the
 * keys anew.
 */
export async function rotateKeys(now: Date): Promise<void> {
  await db().transaction(async (tx) => {
    await lockKeys(tx)
    const keys = await selectKeys(tx)
    let changed = false
    for (const alg of signingAlgs) {
      const own = keys.filter((key) => key.alg === alg)
      const { activate, retire, createActive, createNext } = rotationStep(own, now)
      if (retire.length > 0) await retireKeys(tx, alg, retire, now)
      if (activate) await activateKey(tx, alg, activate, now)
      if (createActive) await createKey(tx, alg, 'active', now)
      if (createNext) await createKey(tx, alg, 'next', now)
      changed ||= Boolean(activate || createActive || createNext)
    }
    const removed = await removeRetiredKeys(tx, new Date(now.getTime() - keptFor))
    if (changed || removed > 0) await invalidate(tx, cacheName)
  })
}

type Rows = Awaited<ReturnType<typeof selectKeys>>

// opened keys stay in memory for as long as their rows are cached
const opened = new WeakMap<Rows, JWK[]>()

function open(rows: Rows): JWK[] {
  const known = opened.get(rows)
  if (known) return known
  const keys = rows.map(({ id, jwk, alg }) => ({ ...JSON.parse(decrypt('oidc', jwk, id)), kid: id, use: 'sig', alg }))
  opened.set(rows, keys)
  return keys
}

/** Returns the private keys, the signing one of each algorithm first; creates the first ones if there are none. */
export async function signingKeys(now: Date): Promise<JWK[]> {
  const read = () => cached(cacheName, () => selectKeys())
  let rows = await read()
  const signs = (alg: SigningAlg) => rows.some((key) => key.alg === alg && key.state === 'active')
  if (!signingAlgs.every(signs)) {
    await rotateKeys(now)
    dropCached(cacheName)
    rows = await read()
  }
  return open(rows)
}
