import { eq, sql } from 'drizzle-orm'
import { prepared } from '@/db/client'
import { users } from '@/db/schema/people'

const profileColumns = {
  lastName: users.lastName,
  firstName: users.firstName,
  middleName: users.middleName,
  fio: users.fio,
  birthDate: users.birthDate,
  gender: users.gender,
  email: users.email,
  mobile: users.mobile,
  login: users.login,
  locale: users.locale,
  comment: users.comment,
  values: users.values,
}
const profileById = prepared('profile_by_id', (database) =>
  database
    .select(profileColumns)
    .from(users)
    .where(eq(users.id, sql.placeholder('userId'))),
)

/** The values that profile fields have on a user: columns for the systemic ones, `values` for the others. */
export async function profileValues(userId: string) {
  const [row] = await profileById().execute({ userId })
  return row ?? null
}
