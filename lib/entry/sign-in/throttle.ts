import { whoseAddress } from '@/lib/kernel/client-ip'
import { keyedHash } from '@/lib/kernel/crypto/secrets'
import { forgetPoints, returnPoints, type Tier, takePoints } from '@/lib/kernel/limits'

/** Wrong passwords: the wait grows from seconds to minutes, and at the limit the flow rests for 15 minutes. */
const accountTiers: Tier[] = [
  { points: 4, duration: 10 },
  { points: 7, duration: 120 },
  { points: 10, duration: 900 },
]
const addressTiers: Tier[] = [
  { points: 20, duration: 10 },
  { points: 60, duration: 120 },
  { points: 120, duration: 900 },
]
/** Attempts begun by one address: high enough for a company behind one gateway. */
const beginTiers: Tier[] = [{ points: 600, duration: 600 }]

export type PasswordKeys = {
  /** The account if there is one, else the identifier: either way no name stands in Redis. */
  subject: string
  /** The browser, if it has signed this account in before: then others' failures don't hold it up. */
  knownDevice: string | null
  ip: string
}

const accountLimit = ({ subject, knownDevice }: PasswordKeys) => ({
  name: 'password-account',
  key: keyedHash('identifiers', `${subject} ${knownDevice ?? ''}`),
  tiers: accountTiers,
})
const addressLimit = (name: string, ip: string, tiers: Tier[]) => ({
  name,
  key: keyedHash('identifiers', `address ${whoseAddress(ip)}`),
  tiers,
})

/** Before a password is looked at: counts the try against account and address, so that parallel ones can't slip by. */
export const countPasswordTry = (keys: PasswordKeys) =>
  takePoints(addressLimit('password-address', keys.ip, addressTiers), accountLimit(keys))

/** After the right password: the account starts afresh, the address gets its point back. */
export const forgivePasswordTries = (keys: PasswordKeys) =>
  Promise.all([forgetPoints(accountLimit(keys)), returnPoints(addressLimit('password-address', keys.ip, addressTiers))])

/** After a new password: what was counted against the account is forgotten, in this browser and in unknown ones. */
export const forgetPasswordTries = (keys: PasswordKeys) =>
  Promise.all([forgetPoints(accountLimit(keys)), forgetPoints(accountLimit({ ...keys, knownDevice: null }))])

/** Counts an attempt begun from an address. Throws 429. */
export const countBegin = (ip: string) => takePoints(addressLimit('begin', ip, beginTiers))
