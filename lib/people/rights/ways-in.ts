import type { Transaction } from '@/db/client'
import { schemaFor } from '@/lib/platform/authentication-schemas/choice'
import { nextFlows } from '@/lib/platform/authentication-schemas/factors'
import { ownFlows } from '@/lib/platform/authentication-schemas/flows'
import { schemasIn } from '@/lib/platform/authentication-schemas/service'
import { settingsIn } from '@/lib/platform/settings/service'
import { selectAdministratorsAnd } from './queries'

export type WaysIn = {
  /** Whether anybody enabled is an administrator. */
  administrators: boolean
  /** The ids of the administrators who could sign in. */
  entering: ReadonlySet<string>
  /** Whether the person asked about could sign in. */
  self: boolean
}

/**
 * Returns who could sign in as this transaction sees it, among the administrators and the person `self`: by an identifier
 * of a kind that is on, and by the schema that applies to them with the flows that they can use.
 */
export async function waysIn(tx: Transaction, self: string | null): Promise<WaysIn> {
  const accounts = await selectAdministratorsAnd(tx, self)
  const schemas = await schemasIn(tx)
  const settings = await settingsIn(tx)
  const on: Record<string, boolean> = {
    login: settings.identificationLogin,
    email: settings.identificationEmail,
    mobile: settings.identificationMobile,
  }
  const enters = accounts.filter((account) => {
    const schema = schemaFor(schemas, account.authenticationSchemaId, account.roleIds)
    return account.kinds.some((kind) => on[kind]) && nextFlows([], [schema], ownFlows(account)).length > 0
  })
  return {
    administrators: accounts.some(({ administrator }) => administrator),
    entering: new Set(enters.flatMap(({ id, administrator }) => (administrator ? [id] : []))),
    self: enters.some(({ id }) => id === self),
  }
}
