import type { Ctx } from '@/lib/base/context/ctx'
import { addressLimits } from '@/lib/base/limits/address-limits'
import { type Tier, takePoints } from '@/lib/base/limits/limits'

/**
 * The limits of other logins and unique values that a person may try: enough to find a free one, too few to list
 * accounts.
 */
const personTiers: Tier[] = [
  { points: 10, duration: 600 },
  { points: 30, duration: 86_400 },
]
/** The same for one address, against a person with several accounts. */
const addressTiers: Tier[] = [
  { points: 60, duration: 600 },
  { points: 300, duration: 86_400 },
]

/**
 * Counts an attempt to take another login or unique value, before it is compared with those of other accounts, as the
 * answer shows whether one has it. Throws 429.
 */
export const limitUniqueTries = ({ ip }: Ctx, userId: string) =>
  takePoints(
    { name: 'unique-values-of-person', key: userId, tiers: personTiers },
    ...addressLimits('unique-values', ip, addressTiers),
  )
