import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { showsContact } from '@/lib/fields/profile-fields/service'
import { managedBy } from '../managers/service'
import { type Sight, selectOwnContractorIds } from './queries'

/**
 * Returns whom the signed-in person sees: the people of their own enabled contractors, of all if they manage all, and
 * e-mail and mobile as far as the profile shows these fields (docs/rules/contacts.md#who-is-seen). Throws 401.
 */
export async function visibilityOf(ctx: Ctx): Promise<Sight> {
  requireUser(ctx)
  const userId = ctx.user.id
  const [managed, own, email, mobile] = await Promise.all([
    managedBy(userId),
    selectOwnContractorIds(userId),
    showsContact('email'),
    showsContact('mobile'),
  ])
  const contractors = managed.all ? 'all' : [...new Set([...own, ...managed.ids])]
  return { userId, contractors, managed, email, mobile }
}

/** Returns whether the person manages this contractor. */
export const isManaged = ({ managed }: Sight, contractorId: string): boolean =>
  managed.all || managed.ids.includes(contractorId)

/** Returns whether this contractor is one of those whose people are seen; of all it isn't asked whether it exists. */
export const isSeen = ({ contractors }: Sight, contractorId: string): boolean =>
  contractors === 'all' || contractors.includes(contractorId)
