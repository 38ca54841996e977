import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { users } from '@/db/schema/people'

/** The values that profile fields have on a user: columns for the systemic ones, `values` for the others. */
export async function profileValues(userId: string) {
  const [row] = await db()
    .select({
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
    })
    .from(users)
    .where(eq(users.id, userId))
  return row ?? null
}
