import { db, type Transaction } from '@/db/client'
import { schemasIn } from '@/lib/access/authentication-schemas/service'
import { keepingAdministrator } from '@/lib/access/rights/last-administrator'
import { shownValues, userChanges } from '@/lib/accounts/user-table/fields'
import { lockAdministered } from '@/lib/accounts/users/administer'
import { userEntity } from '@/lib/accounts/users/entity'
import { removeAccount } from '@/lib/accounts/users/own'
import { requireVersion } from '@/lib/base/audit/conflict'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { historyName } from '@/lib/fields/values/definition'
import { holdUniqueness } from '@/lib/fields/values/unique'
import { savedLanguage, sendMail } from '@/lib/messaging/sender/service'
import { endAttempts } from '@/lib/sign-in/attempts/attempt'
import { endUserSessions } from '@/lib/sign-in/sessions/service'
import type * as calls from './contract'
import { type Account, changeIn, createIn, mailEntryLink } from './write'

/**
 * Creates an account with the role of the setting `defaultUserRole`, and mails its first-entry link if asked to.
 * Returns its id. Needs users.write. Throws 400 by field, 409 for an identifier that is taken at the same moment, and
 * what the link needs (docs/rules/people.md#administration-of-users).
 */
export async function createUser(ctx: Ctx, { body }: ServiceInput<typeof calls.createUser>) {
  requireMethod(ctx, 'users.write')
  const change = await userChanges(ctx, body.values, null)
  return db().transaction(async (tx) => {
    await holdUniqueness(tx)
    return { id: await createIn(tx, ctx, change, { sendLink: body.sendLink }) }
  })
}

/**
 * Mails somebody without a password their first-entry link. Needs users.write. Throws as `lockAdministered`, and 409.
 */
export async function sendEntryLink(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.sendEntryLink>) {
  requireMethod(ctx, 'users.write')
  await db().transaction(async (tx) => mailEntryLink(tx, ctx, await lockAdministered(tx, ctx, id)))
  return {}
}

/** Returns the account as its card shows it, so that a conflict shows no more than the administration does. */
async function visibleRow(row: Account) {
  const { isEditable, authenticationSchemaId, updatedAt, ...account } = row
  const visibleValues = await shownValues(account)
  const auditedEntries = Object.entries(visibleValues).map(([code, value]) => [
    code in userEntity.fields ? code : historyName(code),
    value,
  ])
  return { ...Object.fromEntries(auditedEntries), isEditable, authenticationSchemaId, updatedAt } as { updatedAt: Date }
}

/**
 * Changes fields of an account, whether its person may change it, and its schema, all or nothing. Needs users.write.
 * Throws 404, 403 forbiddenUser, 400 by field, 409 lastAdministrator, and 409 if somebody has saved it since
 * `updatedAt` (docs/rules/people.md#administration-of-users).
 */
export async function updateUser(ctx: Ctx, { params: { id }, body }: ServiceInput<typeof calls.updateUser>) {
  requireMethod(ctx, 'users.write')
  const { email, mobile } = (body.values ?? {}) as Record<string, unknown>
  const guarded = [body.authenticationSchemaId, email, mobile].some((value) => value !== undefined)
  const save = async (tx: Transaction) => {
    await holdUniqueness(tx)
    const row = await lockAdministered(tx, ctx, id)
    await requireVersion(tx, ctx, userEntity, { id, row: await visibleRow(row), updatedAt: body.updatedAt })
    const changes = await userChanges(ctx, body.values ?? {}, row)
    const schemaId = body.authenticationSchemaId
    const schemas = await schemasIn(tx)
    if (schemaId && schemaId !== row.authenticationSchemaId && !schemas.some((schema) => schema.id === schemaId))
      throw fieldError('authenticationSchemaId', 'errorSchema')
    const schemaName = (chosenId: string | null) => schemas.find((schema) => schema.id === chosenId)?.code ?? null
    return changeIn(tx, ctx, row, changes, {
      columns: {
        ...(body.isEditable === undefined ? {} : { isEditable: body.isEditable }),
        ...(schemaId === undefined ? {} : { authenticationSchemaId: schemaId }),
      },
      recorded: ({ isEditable, authenticationSchemaId }) => ({
        isEditable,
        authenticationSchema: schemaName(authenticationSchemaId),
      }),
    })
  }
  const afterCommit = await db().transaction((tx) => (guarded ? keepingAdministrator(tx, () => save(tx)) : save(tx)))
  await afterCommit?.()
  return {}
}

/**
 * Deletes an account, its sessions and what applications got for it, and tells its person by mail. Needs users.write.
 * Throws 404, 403 forbiddenUser, 409 ownAccount and lastAdministrator (docs/rules/people.md#administration-of-users).
 */
export async function deleteUser(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.deleteUser>) {
  requireMethod(ctx, 'users.write')
  if (id === ctx.user?.id) throw new AppError(409, 'ownAccount')
  const afterCommit = await db().transaction((tx) =>
    keepingAdministrator(tx, async () => {
      const account = await lockAdministered(tx, ctx, id)
      const { email: to, firstName: name, login } = account
      const values = { name, login, date: ctx.now() }
      if (to)
        await sendMail(tx, ctx, {
          template: 'accountDeleted',
          to,
          userId: null,
          locale: await savedLanguage(tx, id),
          values,
        })
      await endAttempts(tx, id, ctx.now())
      const afterEnd = await endUserSessions(tx, ctx, id, 'deleted')
      const afterDeletion = await removeAccount(tx, ctx, id)
      return () => afterEnd().then(afterDeletion)
    }),
  )
  await afterCommit()
  return {}
}
