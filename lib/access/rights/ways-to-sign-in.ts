import type { Transaction } from '@/db/client'
import type { IdAttributeName } from '@/lib/base/context/ctx'
import { isDirectoryEmail } from '@/lib/identity-providers/connections/service'
import { offeredKinds } from '@/lib/site/domains/offered'
import { settingsIn } from '@/lib/site/settings/service'
import { extraFactors, schemaOfAccount } from '../authentication-schemas/choice'
import { nextFlows } from '../authentication-schemas/factors'
import { entryOf } from '../authentication-schemas/flows'
import { schemasIn } from '../authentication-schemas/service'
import { selectAdministratorsAnd } from './queries'

export type WaysToSignIn = {
  /** Whether there is an enabled administrator. */
  administrators: boolean
  /** The ids of the administrators who can sign in. */
  entering: ReadonlySet<string>
  /** Whether the person `self` can sign in. */
  self: boolean
}

type Account = Awaited<ReturnType<typeof selectAdministratorsAnd>>[number]

/** Returns the ids of the accounts without a password whose person can set one by the link in a recovery mail. */
async function canRecover(tx: Transaction, accounts: readonly Account[]): Promise<Set<string>> {
  const accountIds = new Set<string>()
  for (const { id, passwordHash, email } of accounts)
    if (!passwordHash && email && !(await isDirectoryEmail(email.toLowerCase(), tx))) accountIds.add(id)
  return accountIds
}

/**
 * Returns which of the administrators and the person `self` can sign in, as this transaction sees it: they have an
 * identifier of an enabled kind that some domain offers, and their flows can prove all required factors: those of their
 * schema, and the e-mail while the account is in doubt. `offered` replaces the kinds that domains offer now.
 */
export async function waysToSignIn(
  tx: Transaction,
  self: string | null,
  offered?: readonly IdAttributeName[],
): Promise<WaysToSignIn> {
  const accounts = await selectAdministratorsAnd(tx, self)
  const schemas = await schemasIn(tx)
  const settings = await settingsIn(tx)
  const kinds: readonly string[] = offered ?? (await offeredKinds(tx))
  const enabledKinds: Record<string, boolean> = {
    login: settings.identificationLogin,
    email: settings.identificationEmail,
    mobile: settings.identificationMobile,
  }
  const recoverable = await canRecover(tx, accounts)
  const ableAccounts = accounts.filter((account) => {
    const passwordHash = account.passwordHash ?? (recoverable.has(account.id) ? 'to be set' : null)
    const identified = account.kinds.some((kind) => enabledKinds[kind] && kinds.includes(kind))
    const required = [schemaOfAccount(schemas, account), ...extraFactors(account)]
    const { schemas: demands, flows } = entryOf(required, { ...account, passwordHash })
    // people of a directory don't count, because nobody can promise that the directory answers
    return identified && !account.atProvider && nextFlows([], demands, flows).length > 0
  })
  return {
    administrators: accounts.some(({ administrator }) => administrator),
    entering: new Set(ableAccounts.flatMap(({ id, administrator }) => (administrator ? [id] : []))),
    self: ableAccounts.some(({ id }) => id === self),
  }
}
