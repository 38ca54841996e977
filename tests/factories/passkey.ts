import { createHash, generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
import { db } from '@/db/client'
import { passkeys } from '@/db/schema/entry'
import {
  addPasskey,
  listOwnPasskeys,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '@/lib/my-account/passkeys/contract'
import { authPasskey, passkeyOptions } from '@/lib/sign-in/attempts/contract'
import type { Browser } from './browser'
import { handlerOf } from './routes'

const start = handlerOf(startPasskey)
const add = handlerOf(addPasskey)
const list = handlerOf(listOwnPasskeys)
const remove = handlerOf(removePasskey)
const rename = handlerOf(renamePasskey)
const options = handlerOf(passkeyOptions)
const signIn = handlerOf(authPasskey)

type Body = Record<string, unknown>
export const startKey = (browser: Browser, body: Body = {}) => browser.send(start, 'POST', { body })
export const addKey = (browser: Browser, body: Body) => browser.send(add, 'POST', { body })
export const ownKeys = (browser: Browser) => browser.send(list, 'GET')
export const removeKey = (browser: Browser, id: string, body: Body = {}) =>
  browser.send(remove, 'DELETE', { params: { id }, body })

export const renameKey = (browser: Browser, id: string, name: string) =>
  browser.send(rename, 'PATCH', { params: { id }, body: { name } })

/** What an authenticator is told, and what it may say wrong. */
type Saying = {
  /** In Base64URL, as the options have it. */
  challenge: string
  origin?: string
  rpId?: string
  type?: string
  crossOrigin?: boolean
  /** Whether it has verified the person. */
  verified?: boolean
  present?: boolean
  counter?: number
  userHandle?: string | null
  /** The format of its attestation. */
  format?: string
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const uint = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
/** A text and bytes in CBOR (RFC 8949, section 3). */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x59]), uint(value.length, 2), value])

type Keys = { privateKey: KeyObject; publicKey: KeyObject }
type Traits = { counter?: number | null; isSynced?: boolean; keys?: Keys }

/** An authenticator in software, which makes one passkey with a key of ECDSA. */
export class Authenticator {
  readonly id = randomBytes(32)
  readonly #keys: Keys
  /** How often it has signed; null if it doesn't count, as those of Apple and Google. */
  counter: number | null
  userHandle: string | null = null
  constructor({ counter = null, isSynced = true, keys }: Traits = {}) {
    this.#keys = keys ?? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.counter = counter
    this.isSynced = isSynced
  }
  readonly isSynced: boolean

  get credentialId() {
    return this.id.toString('base64url')
  }

  /** Its public key in COSE (RFC 9053, section 7.1.1). */
  get publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinate = (value: string) => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(value, 'base64url')])
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      coordinate(x),
      Buffer.from([0x22]),
      coordinate(y),
    ])
  }

  #data({ rpId = 'localhost', verified = true, present = true, counter }: Saying, attested = Buffer.alloc(0)): Buffer {
    const flags =
      (present ? 0x01 : 0) + (verified ? 0x04 : 0) + (this.isSynced ? 0x18 : 0) + (attested.length > 0 ? 0x40 : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), uint(counter ?? this.counter ?? 0, 4), attested])
  }

  #client({ challenge, origin = 'http://localhost:3000', crossOrigin = false }: Saying, type: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }))
  }

  #said(response: object) {
    return { id: this.credentialId, rawId: this.credentialId, type: 'public-key', response, clientExtensionResults: {} }
  }

  /** Makes its passkey, as `navigator.credentials.create` returns it. */
  make(saying: Saying) {
    const attested = Buffer.concat([Buffer.alloc(16), uint(this.id.length, 2), this.id, this.publicKey])
    const format = saying.format ?? 'none'
    // of another format: an empty list of certificates
    const statement =
      format === 'none' ? Buffer.from([0xa0]) : Buffer.concat([Buffer.from([0xa1]), text('x5c'), Buffer.from([0x80])])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text(format), text('attStmt'), statement],
      ...[text('authData'), bytes(this.#data(saying, attested))],
    ])
    return this.#said({
      clientDataJSON: this.#client(saying, saying.type ?? 'webauthn.create').toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal', 'hybrid'],
    })
  }

  /** Signs, as `navigator.credentials.get` returns it. */
  sign(saying: Saying) {
    if (this.counter !== null) this.counter++
    const [data, client] = [this.#data(saying), this.#client(saying, saying.type ?? 'webauthn.get')]
    const handle = saying.userHandle === undefined ? this.userHandle : saying.userHandle
    return this.#said({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey).toString('base64url'),
      ...(handle === null ? {} : { userHandle: handle }),
    })
  }
}

type Given = Traits & { sessionId?: string; emailHash?: string | null; name?: string }

/** Stores a passkey of a person, and returns its authenticator. */
export async function giveKey(userId: string, given: Given = {}) {
  const { sessionId = randomUUID(), emailHash = null, name = 'Phone', ...traits } = given
  const authenticator = new Authenticator(traits)
  authenticator.userHandle = Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
  await db()
    .insert(passkeys)
    .values({
      userId,
      credentialId: authenticator.credentialId,
      publicKey: authenticator.publicKey.toString('base64url'),
      signCount: authenticator.counter ?? 0,
      transports: ['internal'],
      aaguid: '00000000-0000-0000-0000-000000000000',
      isSynced: authenticator.isSynced,
      isBackedUp: authenticator.isSynced,
      ...{ name, sessionId, emailHash },
    })
  return authenticator
}

/** Returns a challenge for this browser. */
export async function challengeOf(browser: Browser): Promise<string> {
  const { status, body } = await browser.send(options, 'GET')
  if (status !== 200) throw new Error(`no challenge: ${status}`)
  return String(body.challenge)
}

/** Signs in with what an authenticator says. */
export const sendKey = (browser: Browser, passkey: unknown, body: Body = {}) =>
  browser.send(signIn, 'POST', { body: { passkey, ...body } })

/** Signs in with a passkey alone. */
export async function signInByKey(browser: Browser, authenticator: Authenticator, saying: Partial<Saying> = {}) {
  const challenge = await challengeOf(browser)
  return sendKey(browser, authenticator.sign({ challenge, ...saying }))
}

/** Adds a passkey in the profile of the person who is signed in, after these proofs. */
export async function makeKey(browser: Browser, proofs: Body = {}, authenticator = new Authenticator()) {
  const started = await startKey(browser, proofs)
  if (started.status !== 200) throw new Error(`no passkey was begun: ${JSON.stringify(started.body)}`)
  const { challenge, user } = started.body.options as { challenge: string; user: { id: string } }
  authenticator.userHandle = user.id
  return {
    authenticator,
    answer: await addKey(browser, { proof: started.body.proof, passkey: authenticator.make({ challenge }) }),
  }
}
