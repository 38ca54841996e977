import type { Transaction } from '@/db/client'
import { changerOf } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { isAdministrator } from '@/lib/base/effective-rights/service'
import type { UserValues } from './queries'

/** Nobody's id, which holds nothing: several people prepared an account. */
const nobody = '00000000-0000-0000-0000-000000000000'
const beginning = new Date(0)

export type Marks = Partial<Pick<UserValues, 'preparedBy' | 'preparedSince' | 'mobileEnteredBy' | 'schemaEnteredBy'>>

/** Returns as whom the caller prepares accounts: the id of a person or of an application; null for an administrator. */
export const preparer = async (tx: Transaction, ctx: Ctx): Promise<string | null> =>
  (await isAdministrator(tx, ctx)) ? null : (ctx.user?.within ?? changerOf(ctx))

/** Returns as whom these prepare an account together, of whom null are administrators and directories: several are nobody. */
export function together(preparers: readonly (string | null)[]): string | null {
  const [one = null, ...others] = new Set(preparers.filter((who) => who !== null))
  return others.length > 0 ? nobody : one
}

/**
 * Returns the marks of an account in which `who` (null: an administrator) enters this. With another e-mail all that was
 * proven before is in doubt, with another mobile or schema what is proven from now on
 * (docs/rules/access.md#prepared-accounts).
 */
export function marksOf(
  who: string | null,
  before: Marks,
  entered: { email: boolean; mobile: boolean; schema: boolean },
  now: Date,
): Marks {
  if (!Object.values(entered).includes(true)) return {}
  const marks: Marks = {
    ...(entered.mobile ? { mobileEnteredBy: who } : {}),
    ...(entered.schema ? { schemaEnteredBy: who } : {}),
  }
  // an administrator knows whose the new e-mail is, but not who knows the password
  if (!who && !entered.email) return marks
  const preparedBy = together([before.preparedBy ?? null, who ?? nobody])
  return { ...marks, preparedBy, preparedSince: entered.email ? beginning : (before.preparedSince ?? now) }
}

/** Returns the marks of a new account, of which `who` enters everything. */
export const marksOfNew = (who: string | null): Marks =>
  who ? { preparedBy: who, preparedSince: beginning, mobileEnteredBy: who, schemaEnteredBy: null } : {}
