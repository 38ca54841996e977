import { notFound } from '@/lib/kernel/errors'
import { profileFields } from '@/lib/people/profile-fields/service'
import { profileValues } from './queries'

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/**
 * What an account lacks, and who keeps its password: the required profile fields that must still be filled in, in
 * the order of the form; whether a directory keeps it; whether it has a password. Throws 404 for an unknown user.
 */
export async function accountState(userId: string) {
  const [fields, row] = await Promise.all([profileFields(), profileValues(userId)])
  if (!row) throw notFound()
  const { values, directory, hasPassword, ...columns } = row
  const all: Record<string, unknown> = { ...values, ...columns }
  return { emptyFields: fields.filter(({ code, required }) => required && isEmpty(all[code])), directory, hasPassword }
}

/** The required profile fields that the user must still fill in. Throws 404 for an unknown user. */
export const emptyRequiredFields = async (userId: string) => (await accountState(userId)).emptyFields

/** Their codes. */
export async function requiredFieldsEmpty(userId: string): Promise<string[]> {
  return (await emptyRequiredFields(userId)).map(({ code }) => code)
}

/** How a user is named and reached. Throws 404 for an unknown one. */
export async function personalData(userId: string) {
  const row = await profileValues(userId)
  if (!row) throw notFound()
  const { fio, lastName, firstName, middleName, login, email, mobile } = row
  return { fio: fio || [lastName, firstName, middleName].filter(Boolean).join(' '), login, email, mobile }
}
