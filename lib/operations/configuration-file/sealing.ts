import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '@/lib/base/runtime/errors'
import { type EncryptionHeader, encryptionParameters } from './format'

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
const checkText = 'configuration'

/** The shortest length of a passphrase: somebody who has a file can try any number of them. */
export const shortestPassphrase = 12

const keyOf = (passphrase: string, salt: Buffer) =>
  derive(passphrase.normalize('NFKC'), salt, 32, {
    N: encryptionParameters.N,
    r: encryptionParameters.r,
    p: encryptionParameters.p,
    maxmem: 256 * 1024 ** 2,
  })

/** Encrypts a text. `bound` is the place of the secret in the file, so that it can't be moved to another one. */
function encryptWith(key: Buffer, text: string, place: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv(encryptionParameters.cipher, key, iv)
  cipher.setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

function decryptWith(key: Buffer, sealed: string, place: string): string | null {
  try {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv(encryptionParameters.cipher, key, bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(place))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** Encrypts a secret at its place in a file. */
export type Encrypt = (secret: string, place: string) => string
/** Decrypts the secret at a place. Throws 400 for one that was changed or moved. */
export type Decrypt = (sealed: string, place: string) => string

/** Returns the header of a file about its secrets, and the function that encrypts one. */
export async function encryptionWith(passphrase: string): Promise<{ header: EncryptionHeader; seal: Encrypt }> {
  const salt = randomBytes(16)
  const key = await keyOf(passphrase, salt)
  const header = {
    ...encryptionParameters,
    salt: salt.toString('base64'),
    check: encryptWith(key, checkText, checkText),
  }
  return { header, seal: (secret, place) => encryptWith(key, secret, place) }
}

const refused = (field: string, code: string) =>
  new AppError(400, 'configurationRefused', { errorList: [{ field, code }] })

/** Returns the function that decrypts the secrets of a file. Throws 400 without a passphrase and for a wrong one. */
export async function decryptionWith(header: EncryptionHeader, passphrase: string | undefined): Promise<Decrypt> {
  if (!passphrase) throw refused('passphrase', 'errorConfigurationPassphrase')
  const key = await keyOf(passphrase, Buffer.from(header.salt, 'base64'))
  if (decryptWith(key, header.check, checkText) !== checkText)
    throw refused('passphrase', 'errorConfigurationPassphraseWrong')
  return (sealed, place) => {
    const secret = decryptWith(key, sealed, place)
    if (secret === null) throw refused(place, 'errorConfigurationSecret')
    return secret
  }
}
