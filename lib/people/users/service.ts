import { cached } from '@/lib/kernel/cache'
import { notFound } from '@/lib/kernel/errors'
import { platformSettings } from '@/lib/platform/settings/service'
import { profileValues, requiredProfileFields } from './queries'

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/**
 * Codes of the profile fields that the user must still fill in, in the order of the form. Names are asked for
 * as one field or as three, by the setting useUserFio. Throws 404 for an unknown user.
 */
export async function requiredFieldsEmpty(userId: string): Promise<string[]> {
  const [{ useUserFio }, codes, row] = await Promise.all([
    platformSettings(),
    cached('dynamic-fields:required', requiredProfileFields),
    profileValues(userId),
  ])
  if (!row) throw notFound()
  const unused = useUserFio ? ['lastName', 'firstName', 'middleName'] : ['fio']
  const { values, ...columns } = row
  const all: Record<string, unknown> = { ...values, ...columns }
  return codes.filter((code) => !unused.includes(code) && isEmpty(all[code]))
}

/** How a user is named and reached. Throws 404 for an unknown one. */
export async function personalData(userId: string) {
  const row = await profileValues(userId)
  if (!row) throw notFound()
  const { fio, lastName, firstName, middleName, login, email, mobile } = row
  return { fio: fio || [lastName, firstName, middleName].filter(Boolean).join(' '), login, email, mobile }
}
