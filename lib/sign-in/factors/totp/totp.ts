import { createGuardrails, generateSecret, generateURI, verifySync } from 'otplib'

/** Other systems have keys of 80 bits too, which an import takes over; the library refuses them by default. */
const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10 })

/** Seconds of a time step (RFC 6238, section 5.2). */
const period = 30

/** Returns a random key of 160 bits in base32 (RFC 4226, section 4). */
export const newKey = (): string => generateSecret()

/** Returns the address of a key that authenticator apps read from a QR code. The app lists it under both names. */
export const keyAddress = (issuer: string, account: string, key: string): string =>
  generateURI({ issuer, label: account, secret: key })

/**
 * Returns the time step of a code: the current one, the one before or the one after, because clocks differ
 * (RFC 6238, section 6). Returns null for a wrong code. `key` is in base32, `code` has six digits.
 */
export function stepOfCode(key: string, code: string, now: Date): number | null {
  if (!/^[0-9]{6}$/.test(code)) return null
  const step = Math.floor(now.getTime() / 1000 / period)
  // from the middle of a step, the tolerance of one period reaches exactly one step to each side
  const result = verifySync({
    secret: key,
    token: code,
    epoch: (step + 0.5) * period,
    epochTolerance: period,
    guardrails,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/**
 * Returns the key in base32 that another system has exported: as text, or as the address of a QR code, if its codes are
 * like ours. Returns null for anything else, and for a key of less than 80 or more than 512 bits.
 */
export function importedKey(text: string): string | null {
  const address = URL.canParse(text) ? new URL(text) : null
  if (address && !(address.protocol === 'otpauth:' && address.host === 'totp')) return null
  const {
    algorithm = 'SHA1',
    digits = '6',
    period: seconds = String(period),
  } = Object.fromEntries(address?.searchParams ?? [])
  if (algorithm.toUpperCase() !== 'SHA1' || digits !== '6' || seconds !== String(period)) return null
  const key = (address ? (address.searchParams.get('secret') ?? '') : text).toUpperCase().replace(/[\s=-]/g, '')
  try {
    // throws for a key whose codes can't be checked
    stepOfCode(key, '000000', new Date(0))
    return key
  } catch {
    return null
  }
}
