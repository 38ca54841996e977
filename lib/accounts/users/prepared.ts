import type { Transaction } from '@/db/client'
import { changerOf } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import { isAdministrator } from '@/lib/base/effective-rights/service'
import type { UserValues } from './queries'

/** The id that stands for several preparers. No account has it, so it holds no methods. */
const nobody = '00000000-0000-0000-0000-000000000000'
const beginning = new Date(0)

export type PreparerColumns = Partial<
  Pick<UserValues, 'preparedBy' | 'preparedSince' | 'mobileEnteredBy' | 'schemaEnteredBy'>
>

/**
 * Returns the id under which the caller prepares accounts, that of a person or of an application; null for an
 * administrator.
 */
export const preparer = async (tx: Transaction, ctx: Ctx): Promise<string | null> =>
  (await isAdministrator(tx, ctx)) ? null : (ctx.user?.within ?? changerOf(ctx))

/**
 * Returns the common preparer of an account: the only one of these that isn't null, or `nobody` for several.
 * Administrators and directories are null and don't count.
 */
export function jointPreparer(preparers: readonly (string | null)[]): string | null {
  const [first = null, ...others] = new Set(preparers.filter((id) => id !== null))
  return others.length > 0 ? nobody : first
}

/**
 * Returns the preparer columns of an account after `preparerId` (null: an administrator) has entered these values. A
 * new e-mail puts every earlier proof in doubt; a new mobile or schema puts later proofs in doubt
 * (docs/rules/access.md#prepared-accounts).
 */
export function preparerColumns(
  preparerId: string | null,
  before: PreparerColumns,
  entered: { email: boolean; mobile: boolean; schema: boolean },
  now: Date,
): PreparerColumns {
  if (!Object.values(entered).includes(true)) return {}
  const columns: PreparerColumns = {
    ...(entered.mobile ? { mobileEnteredBy: preparerId } : {}),
    ...(entered.schema ? { schemaEnteredBy: preparerId } : {}),
  }
  // an administrator knows whose e-mail the new one is, but not who knows the password
  if (!preparerId && !entered.email) return columns
  const preparedBy = jointPreparer([before.preparedBy ?? null, preparerId ?? nobody])
  return { ...columns, preparedBy, preparedSince: entered.email ? beginning : (before.preparedSince ?? now) }
}

/** Returns the preparer columns of a new account; `preparerId` has entered everything. */
export const preparerColumnsOfNew = (preparerId: string | null): PreparerColumns =>
  preparerId
    ? { preparedBy: preparerId, preparedSince: beginning, mobileEnteredBy: preparerId, schemaEnteredBy: null }
    : {}
