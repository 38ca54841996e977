import { whoseAddress } from '@/lib/kernel/client-ip'
import { keyedHash } from '@/lib/kernel/crypto/secrets'
import { type Tier, takePoints } from '@/lib/kernel/limits'

/** Links asked for by one address: enough for a company behind one gateway. */
const askingTiers: Tier[] = [
  { points: 60, duration: 600 },
  { points: 300, duration: 86_400 },
]
/** New passwords sent by one address: each costs up to as many hashes as recent ones are refused. */
const settingTiers: Tier[] = [{ points: 120, duration: 600 }]

const ofAddress = (name: string, ip: string, tiers: Tier[]) => ({
  name,
  key: keyedHash('identifiers', `address ${whoseAddress(ip)}`),
  tiers,
})

/** Counts a link asked for from an address. Throws 429. */
export const countAsking = (ip: string) => takePoints(ofAddress('recovery-address', ip, askingTiers))

/** Counts a new password sent from an address. Throws 429. */
export const countSetting = (ip: string) => takePoints(ofAddress('password-set', ip, settingTiers))
