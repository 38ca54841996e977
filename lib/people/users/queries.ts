import { and, asc, eq, sql } from 'drizzle-orm'
import { db, prepared } from '@/db/client'
import { dynamicFieldSubtypes, dynamicFields, dynamicFieldTabs } from '@/db/schema/dynamic-fields'
import { users } from '@/db/schema/people'

/** Codes of the active fields of the profile's own tab that people must fill in. */
export async function requiredProfileFields(): Promise<string[]> {
  const rows = await db()
    .select({ code: dynamicFields.code })
    .from(dynamicFields)
    .innerJoin(
      dynamicFieldSubtypes,
      and(
        eq(dynamicFieldSubtypes.type, dynamicFields.type),
        eq(dynamicFieldSubtypes.code, dynamicFields.subtype),
        dynamicFieldSubtypes.active,
      ),
    )
    .innerJoin(dynamicFieldTabs, and(eq(dynamicFieldTabs.id, dynamicFieldSubtypes.tabId), dynamicFieldTabs.active))
    .where(
      and(
        eq(dynamicFields.type, 'users'),
        eq(dynamicFieldTabs.id, 'users_main'),
        dynamicFields.active,
        dynamicFields.profileRequired,
      ),
    )
    .orderBy(asc(dynamicFieldSubtypes.order), asc(dynamicFields.order), asc(dynamicFields.code))
  return rows.map(({ code }) => code)
}

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
