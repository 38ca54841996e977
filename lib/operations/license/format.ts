import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'

/** The content of a license. Unknown members are ignored, so that later versions may add some. */
const LicenseContent = z.object({
  version: z.literal(1),
  owner: z.string().min(1).max(200),
  domain: z.string().min(1).max(253),
  expiresAt: z.iso.datetime().nullable(),
  /** The largest number of simultaneous sessions; null for any number. */
  sessions: z.number().int().min(1).nullable(),
})
export type LicenseContent = z.output<typeof LicenseContent>

/** The signed text begins with this, so that a signature of any other text can't be one of a license. */
const signaturePrefix = 'identity platform license\n'
const signedText = (payload: string) => Buffer.from(signaturePrefix + payload)

/** Reads the public key of licenses from LICENSE_PUBLIC_KEY. */
export const publicKeyOf = (text: string): KeyObject =>
  createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })

/** Creates a pair of keys: the private one signs licenses and stays with their issuer. */
export function newKeys(): { privateKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  }
}

/** Signs a license. Throws for a key that isn't a private Ed25519 key, and for values that a license can't have. */
export function issueLicense(privateKey: string, content: Omit<LicenseContent, 'version'>): string {
  const key = createPrivateKey(privateKey)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key is not an Ed25519 key')
  const payload = Buffer.from(JSON.stringify(LicenseContent.parse({ version: 1, ...content }))).toString('base64url')
  return `${payload}.${sign(null, signedText(payload), key).toString('base64url')}`
}

/** Returns the content of a license; null if this key hasn't signed it. Never throws. */
export function readLicense(text: string, publicKey: KeyObject): LicenseContent | null {
  const [, payload = '', signature = ''] = /^([\w-]{1,4096})\.([\w-]{86})$/.exec(text.replace(/\s+/g, '')) ?? []
  if (!payload) return null
  try {
    if (!verify(null, signedText(payload), publicKey, Buffer.from(signature, 'base64url'))) return null
    return LicenseContent.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
  } catch {
    return null
  }
}
