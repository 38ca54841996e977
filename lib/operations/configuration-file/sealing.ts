import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '@/lib/base/runtime/errors'
import { type Sealed, sealing } from './format'

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
const known = 'configuration'

/** The shortest passphrase: whoever has a file may try as many as they like. */
export const shortestPassphrase = 12

const keyOf = (passphrase: string, salt: Buffer) =>
  derive(passphrase.normalize('NFKC'), salt, 32, { N: sealing.N, r: sealing.r, p: sealing.p, maxmem: 256 * 1024 ** 2 })

/** `bound` is the place of the secret in the file: it can't be moved to another one. */
function sealWith(key: Buffer, text: string, bound: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv(sealing.cipher, key, iv)
  cipher.setAAD(Buffer.from(bound))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

function openWith(key: Buffer, sealed: string, bound: string): string | null {
  try {
    const bytes = Buffer.from(sealed, 'base64')
    const opener = createDecipheriv(sealing.cipher, key, bytes.subarray(0, 12), { authTagLength: 16 })
    opener.setAAD(Buffer.from(bound))
    opener.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([opener.update(bytes.subarray(28)), opener.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** Seals a secret at its place in a file. */
export type Seal = (secret: string, place: string) => string
/** Opens the secret at a place. Throws 400 for one that was changed or moved. */
export type Open = (sealed: string, place: string) => string

/** Returns what a file's header says of its secrets, and how to seal one. */
export async function sealedWith(passphrase: string): Promise<{ header: Sealed; seal: Seal }> {
  const salt = randomBytes(16)
  const key = await keyOf(passphrase, salt)
  const header = { ...sealing, salt: salt.toString('base64'), check: sealWith(key, known, known) }
  return { header, seal: (secret, place) => sealWith(key, secret, place) }
}

const refused = (field: string, code: string) =>
  new AppError(400, 'configurationRefused', { errorList: [{ field, code }] })

/** Returns how to open the secrets of a file. Throws 400 without a passphrase and for a wrong one. */
export async function openedWith(header: Sealed, passphrase: string | undefined): Promise<Open> {
  if (!passphrase) throw refused('passphrase', 'errorConfigurationPassphrase')
  const key = await keyOf(passphrase, Buffer.from(header.salt, 'base64'))
  if (openWith(key, header.check, known) !== known) throw refused('passphrase', 'errorConfigurationPassphraseWrong')
  return (sealed, place) => {
    const secret = openWith(key, sealed, place)
    if (secret === null) throw refused(place, 'errorConfigurationSecret')
    return secret
  }
}
