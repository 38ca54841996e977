import { notFound } from '@/lib/base/runtime/errors'
import { profileFields } from '@/lib/fields/profile-fields/service'
import { concerns } from '@/lib/fields/values/actions'
import { isBase, isFilled, storedUnder } from '@/lib/fields/values/definition'
import { keptFields } from '@/lib/identity-providers/connections/kept-fields'
import { selectIsEditable, selectProfileValues, selectProfileWithMethods } from './queries'

/**
 * Returns the required profile fields that are still empty and that the person can fill in, in the order of the form;
 * whether a directory keeps the account; and whether it has a password. Throws 404 for an unknown user.
 */
export const accountState = async (userId: string) => stateOf(await selectProfileValues(userId))

async function stateOf(row: Awaited<ReturnType<typeof selectProfileValues>>) {
  const [fields, directoryCodesOf] = await Promise.all([profileFields(), keptFields()])
  if (!row) throw notFound()
  const { values, providerId, directory, hasPassword, isEditable, ...columns } = row
  const directoryCodes = directoryCodesOf(providerId)
  const columnValues: Record<string, unknown> = columns
  const emptyFields = fields.filter(
    (field) =>
      field.profile.required &&
      concerns(fields, field, values) &&
      // a person who can't fill it in would be led to it for ever
      isEditable &&
      !directoryCodes.has(field.code) &&
      // registration never asks for a picture, so that no new account begins as a limited one
      field.fieldType !== 'picture' &&
      !isFilled(isBase(field) ? columnValues[field.code] : storedUnder(values, field.code)),
  )
  return { emptyFields, directory, hasPassword }
}

/** Returns the required profile fields that the user must still fill in. Throws 404 for an unknown user. */
export const emptyRequiredFields = async (userId: string) => (await accountState(userId)).emptyFields

/**
 * Returns the codes of the required profile fields that the user must still fill in. Throws 404 for an unknown user.
 */
export async function requiredFieldsEmpty(userId: string): Promise<string[]> {
  return (await emptyRequiredFields(userId)).map(({ code }) => code)
}

/**
 * Returns in one query whether the user must still fill in required profile fields, and the ids of the methods of
 * applications that they hold. Throws 404 for an unknown user.
 */
export async function entryState(userId: string) {
  const row = await selectProfileWithMethods(userId)
  const { emptyFields } = await stateOf(row)
  return { requiredFieldsEmpty: emptyFields.length > 0, methodIds: new Set(row?.methodIds) }
}

/** Returns a user's name, login, e-mail and mobile. Throws 404 for an unknown user. */
export async function personalData(userId: string) {
  const row = await selectProfileValues(userId)
  if (!row) throw notFound()
  const { fio, lastName, firstName, middleName, login, email, mobile } = row
  return { fio: fio || [lastName, firstName, middleName].filter(Boolean).join(' '), login, email, mobile }
}

/** Returns whether a person may change their own account: an administrator can lock it. */
export const isOwnAccountEditable = (userId: string): Promise<boolean> => selectIsEditable(userId)
