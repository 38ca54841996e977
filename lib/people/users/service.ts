import { notFound } from '@/lib/kernel/errors'
import { profileFields } from '@/lib/people/profile-fields/service'
import { profileValues } from './queries'

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** The required profile fields that the user must still fill in, in the order of the form. Throws 404 for an unknown user. */
export async function emptyRequiredFields(userId: string) {
  const [fields, row] = await Promise.all([profileFields(), profileValues(userId)])
  if (!row) throw notFound()
  const { values, ...columns } = row
  const all: Record<string, unknown> = { ...values, ...columns }
  return fields.filter(({ code, required }) => required && isEmpty(all[code]))
}

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
