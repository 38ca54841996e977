import { randomUUID } from 'node:crypto'
import type { Transaction } from '@/db/client'
import { lockAdministrators } from '@/lib/access/rights/last-administrator'
import { audit } from '@/lib/base/audit/audit'
import type { Ctx } from '@/lib/base/context/ctx'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError } from '@/lib/base/runtime/errors'
import { userEntity } from './entity'
import { syncIdentifiers } from './identifiers'
import {
  giveRole,
  insertUsers,
  isAnybodyAdministrator,
  lockUserByLogin,
  selectSystemicRoles,
  type UserValues,
  userRows,
} from './queries'

type NewAdministrator = {
  /** In lower case, like the e-mail. */
  login: string
  email: string
  passwordHash: string
  passwordChangeRequired: boolean
}

/** Returns whether anybody has the administrator's role. Until the transaction ends, nobody else can get or lose it. */
export async function hasAdministrator(tx: Transaction): Promise<boolean> {
  await lockAdministrators(tx)
  return isAnybodyAdministrator(tx)
}

const auditedValues = ({ login, email, enabled, temporary, passwordHash }: UserValues, roles: string[]) => ({
  login,
  email,
  enabled,
  temporary,
  password: passwordHash,
  roles,
})

/**
 * Creates a temporary administrator, or turns the account that has the login into one: enabled, with this password
 * and the role. Returns its id. Throws 409 directoryAccount if a directory keeps the account's password, 409 if the
 * login or the e-mail is somebody else's, and 404 if the role doesn't exist.
 */
export async function saveAdministrator(tx: Transaction, ctx: Ctx, administrator: NewAdministrator): Promise<string> {
  await lockAdministrators(tx)
  const now = ctx.now()
  const values = { ...administrator, emailVerifiedAt: now, enabled: true, temporary: true, passwordChangedAt: now }
  const before = await lockUserByLogin(tx, administrator.login)
  if (before?.providerId) throw new AppError(409, 'directoryAccount')
  const userId = before?.id ?? randomUUID()
  if (before) await userRows.update(tx, userId, values)
  else await insertUsers(tx, [{ ...values, id: userId }])
  await onBroken({ user_identifiers_kind_value: () => new AppError(409) }, () => syncIdentifiers(tx, [userId]))
  const rolesBefore = await selectSystemicRoles(tx, userId)
  if (!(await giveRole(tx, userId, 'administrator'))) throw new AppError(404)
  const after = auditedValues(values, await selectSystemicRoles(tx, userId))
  await audit(tx, ctx, userEntity, userId, before ? auditedValues(before, rolesBefore) : null, after)
  return userId
}
