import { addressLimits } from '@/lib/base/limits/address-limits'
import { type Tier, takePoints } from '@/lib/base/limits/limits'

/** How many links one address may request: enough for a company behind one gateway. */
const linkRequestTiers: Tier[] = [
  { points: 60, duration: 600 },
  { points: 300, duration: 86_400 },
]
/** How many new passwords one address may send: each is compared with up to as many hashes as the history has. */
const newPasswordTiers: Tier[] = [{ points: 120, duration: 600 }]

/** Returns the limits on links that an address requests. */
export const linkRequestLimits = (ip: string) => addressLimits('recovery-address', ip, linkRequestTiers)
/** Returns the limits on new passwords of an address. */
export const newPasswordLimits = (ip: string) => addressLimits('password-set', ip, newPasswordTiers)

/** Counts a request for a link by its address. Throws 429. */
export const countLinkRequest = (ip: string) => takePoints(...linkRequestLimits(ip))

/** Counts a new password by its address. Throws 429. */
export const countNewPassword = (ip: string) => takePoints(...newPasswordLimits(ip))
