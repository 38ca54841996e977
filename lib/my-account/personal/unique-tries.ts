import type { Ctx } from '@/lib/base/context/ctx'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { type Tier, takePoints } from '@/lib/base/limits/limits'

/** Other logins and unique values that a person may try: enough for finding a free one, too few for a list of people. */
const ofPerson: Tier[] = [
  { points: 10, duration: 600 },
  { points: 30, duration: 86_400 },
]
/** The same for one address, for whoever has several accounts. */
const ofAddress: Tier[] = [
  { points: 60, duration: 600 },
  { points: 300, duration: 86_400 },
]

/**
 * Counts a try to take another login or unique value, before it is compared with those of others: the answer says whether
 * somebody has it. Throws 429.
 */
export const countUniqueTry = ({ ip }: Ctx, userId: string) =>
  takePoints(
    { name: 'unique-values-of-person', key: userId, tiers: ofPerson },
    ...addressLimits('unique-values', ip, ofAddress),
  )
