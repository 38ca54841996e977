import type { Transaction } from '@/db/client'
import { changeIn } from '@/lib/account-administration/accounts/write'
import { lockAdministered } from '@/lib/accounts/users/administer'
import { DoneInPart } from '@/lib/base/batch-jobs/process-rows'
import type { Ctx } from '@/lib/base/context/ctx'
import { AppError, type FieldError, fieldError } from '@/lib/base/runtime/errors'
import { storeFitting } from '@/lib/directory-sync/provider-sync/fitting'
import { isFilled, storedUnder, viewOf } from '@/lib/fields/values/definition'
import { checkValue } from '@/lib/fields/values/schema'
import { peopleFields } from '@/lib/fields/values/service'
import { holdUniqueness } from '@/lib/fields/values/unique'
import type { Changes } from '@/lib/fields/values/values'
import { selectPeople } from './import-queries'
import { ActionItem } from './items'

/**
 * Writes the values of one personnel action to its person, by the definitions of its type's fields. Values that the row
 * leaves out stay; values that their field refuses stay too, and the row is done in part. Returns what runs after the
 * commit. Throws 400 by member, and 403 forbiddenUser for a person who holds a method that the actor lacks
 * (docs/rules/integration.md#personnel-actions).
 */
export async function importAction(tx: Transaction, ctx: Ctx, item: Record<string, unknown>) {
  const { type, values, ...person } = ActionItem.parse(item)
  const definitions = (await peopleFields()).filter(
    (field) => field.type === 'personnel-actions' && field.subtype.code === type,
  )
  if (definitions.length === 0) throw fieldError('type', 'integrationActionType')
  await holdUniqueness(tx)
  const ids = await selectPeople(tx, person)
  const identifier = person.login ? 'login' : person.email ? 'email' : 'externalId'
  const [id] = ids
  if (!id) throw fieldError(identifier, 'integrationPerson')
  if (ids.length > 1) throw fieldError(identifier, 'integrationPersonMany')
  const account = await lockAdministered(tx, ctx, id)

  const faults: FieldError[] = []
  const dynamic: Changes = {}
  for (const [code, value] of Object.entries(values)) {
    const member = `values.${code}`
    const field = definitions.find((definition) => definition.code === code)
    if (!field || field.fieldType === 'picture') {
      faults.push({ field: member, code: field ? 'errorReadOnly' : 'errorUnknownField' })
      continue
    }
    const view = viewOf(field, { locale: ctx.locale, locales: ctx.domain.locales, required: field.integration })
    const checked = checkValue(view, value, {
      now: ctx.now(),
      stored: storedUnder(account.values, code),
      field: member,
    })
    if ('fault' in checked) faults.push(checked.fault)
    else dynamic[code] = checked.value
  }
  for (const { code, integration, fieldType } of definitions)
    if (integration && fieldType !== 'picture' && !Object.hasOwn(values, code))
      if (!isFilled(storedUnder(account.values, code))) faults.push({ field: `values.${code}`, code: 'errorEmpty' })
  const fields = definitions.filter(({ code }) => Object.hasOwn(dynamic, code))
  const options = { columns: {}, recorded: () => ({}), silent: true }
  const { done, notes } = await storeFitting(
    tx,
    { columns: {}, dynamic, fields },
    { self: account, store: (inner, change) => changeIn(inner, ctx, account, change, options) },
  )
  for (const { code, params } of notes) faults.push({ field: `values.${params.fieldCode}`, code })
  return faults.length > 0 ? new DoneInPart(new AppError(400, undefined, { errorList: faults }), done) : done
}
