import { addressLimits } from '@/lib/kernel/address-limits'
import { type Tier, takePoints } from '@/lib/kernel/limits'

/** Links asked for by one address: enough for a company behind one gateway. */
const askingTiers: Tier[] = [
  { points: 60, duration: 600 },
  { points: 300, duration: 86_400 },
]
/** New passwords sent by one address: each costs up to as many hashes as recent ones are refused. */
const settingTiers: Tier[] = [{ points: 120, duration: 600 }]

/** Counts a link asked for from an address. Throws 429. */
export const countAsking = (ip: string) => takePoints(...addressLimits('recovery-address', ip, askingTiers))

/** Counts a new password sent from an address. Throws 429. */
export const countSetting = (ip: string) => takePoints(...addressLimits('password-set', ip, settingTiers))
