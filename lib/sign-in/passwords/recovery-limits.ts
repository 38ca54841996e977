import { addressLimits } from '@/lib/base/limits/address-limits'
import { type Tier, takePoints } from '@/lib/base/limits/limits'

/** Links that one address may request: enough for a company behind one gateway. */
const askingTiers: Tier[] = [
  { points: 60, duration: 600 },
  { points: 300, duration: 86_400 },
]
/** New passwords that one address may send: each is compared with up to as many hashes as the history keeps. */
const settingTiers: Tier[] = [{ points: 120, duration: 600 }]

/** The limits on links that an address requests. */
export const askingLimits = (ip: string) => addressLimits('recovery-address', ip, askingTiers)
/** The limits on new passwords of an address. */
export const settingLimits = (ip: string) => addressLimits('password-set', ip, settingTiers)

/** Counts a request for a link by its address. Throws 429. */
export const countAsking = (ip: string) => takePoints(...askingLimits(ip))

/** Counts a new password by its address. Throws 429. */
export const countSetting = (ip: string) => takePoints(...settingLimits(ip))
