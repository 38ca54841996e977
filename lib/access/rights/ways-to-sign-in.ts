import type { Transaction } from '@/db/client'
import type { IdAttributeName } from '@/lib/base/context/ctx'
import { isDirectoryEmail } from '@/lib/identity-providers/connections/service'
import { offeredKinds } from '@/lib/site/domains/offered'
import { settingsIn } from '@/lib/site/settings/service'
import { furtherDemands, ownDemand } from '../authentication-schemas/choice'
import { nextFlows } from '../authentication-schemas/factors'
import { ownFlows } from '../authentication-schemas/flows'
import { schemasIn } from '../authentication-schemas/service'
import { selectAdministratorsAnd } from './queries'

export type WaysToSignIn = {
  /** Whether anybody enabled is an administrator. */
  administrators: boolean
  /** The ids of the administrators who could sign in. */
  entering: ReadonlySet<string>
  /** Whether the person asked about could sign in. */
  self: boolean
}

type Account = Awaited<ReturnType<typeof selectAdministratorsAnd>>[number]

/** The ids of those without a password who can set one by the link that recovery mails. */
async function canRecover(tx: Transaction, accounts: readonly Account[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const { id, passwordHash, email } of accounts)
    if (!passwordHash && email && !(await isDirectoryEmail(email.toLowerCase(), tx))) found.add(id)
  return found
}

/**
 * Returns who could sign in as this transaction sees it, among the administrators and the person `self`: by an identifier
 * of a kind that is on and that some domain offers, and by what a sign-in demands of them with the flows that they can
 * use: their schema, and a proof of the e-mail while the account is in doubt. `offered` are the kinds that domains offer, if
 * they aren't those of now.
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
  const on: Record<string, boolean> = {
    login: settings.identificationLogin,
    email: settings.identificationEmail,
    mobile: settings.identificationMobile,
  }
  const recoverable = await canRecover(tx, accounts)
  const enters = accounts.filter((account) => {
    const demands = [ownDemand(schemas, account), ...furtherDemands(account)]
    const passwordHash = account.passwordHash ?? (recoverable.has(account.id) ? 'to be set' : null)
    const identified = account.kinds.some((kind) => on[kind] && kinds.includes(kind))
    // whether a directory answers is nothing that we could promise
    return (
      identified && !account.atProvider && nextFlows([], demands, ownFlows({ ...account, passwordHash })).length > 0
    )
  })
  return {
    administrators: accounts.some(({ administrator }) => administrator),
    entering: new Set(enters.flatMap(({ id, administrator }) => (administrator ? [id] : []))),
    self: enters.some(({ id }) => id === self),
  }
}
