import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { showsContact } from '@/lib/fields/profile-fields/service'
import { managedBy } from '../managers/service'
import { selectOwnContractorIds, type Visibility } from './queries'

/**
 * Returns whom the signed-in person sees: the people of their own enabled contractors, of all if they manage all, and
 * e-mail and mobile as far as the profile shows these fields (docs/rules/contacts.md#who-is-seen). Throws 401.
 */
export async function visibilityOf(ctx: Ctx): Promise<Visibility> {
  requireUser(ctx)
  const userId = ctx.user.id
  const [managed, ownIds, email, mobile] = await Promise.all([
    managedBy(userId),
    selectOwnContractorIds(userId),
    showsContact('email'),
    showsContact('mobile'),
  ])
  const contractors = managed.all ? 'all' : [...new Set([...ownIds, ...managed.ids])]
  return { userId, contractors, managed, email, mobile }
}

/** Returns whether the person manages this contractor. */
export const isManaged = ({ managed }: Visibility, contractorId: string): boolean =>
  managed.all || managed.ids.includes(contractorId)

/**
 * Returns whether this contractor is one of those whose people are visible. For a person who manages all, any id
 * counts, even of no contractor.
 */
export const isVisible = ({ contractors }: Visibility, contractorId: string): boolean =>
  contractors === 'all' || contractors.includes(contractorId)
