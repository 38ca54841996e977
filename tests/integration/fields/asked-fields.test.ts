import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, users } from '@/db/schema'
import { requiredFieldsEmpty } from '@/lib/accounts/users/service'
import { type Answered, Browser } from '../../factories/browser'
import { defineField, itemsOf, refusedValues, removeFields } from '../../factories/fields'
import { formOf, say } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { finish, startRegistration } from '../../factories/registration'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
afterEach(() => removeFields())

const accountOf = async (email: string) => (await db().select().from(users).where(eq(users.email, email)))[0]
const faultsOf = ({ body }: Answered) =>
  (body.data as { errorList?: { field: string; code: string }[] } | undefined)?.errorList ?? []

/** Both ways to an account: each begins, and sends the last form with these values of fields. */
const ways = {
  'a registration': async () => {
    const browser = new Browser()
    const { email, secret } = await startRegistration(browser)
    return { email, send: (additionalInfo?: object) => finish(browser, secret, { additionalInfo }) }
  },
  'an invitation': async () => {
    const invited = await invite()
    return {
      email: invited.email,
      send: (additionalInfo?: object) => say(new Browser(), formOf(invited, { additionalInfo })),
    }
  },
}

/** The codes that a value of a defined field is refused with. */
const codes = [
  'errorTooShort',
  'errorLatinText',
  'errorPattern',
  'errorDate',
  'errorOption',
  'errorMobile',
  'errorEmail',
] as const

describe.each(Object.entries(ways))('%s', (_, begin) => {
  test('asks for required dynamic fields, stores and records them, and leaves nothing empty', async () => {
    const badge = await defineField({ profileRequired: true, unique: true, order: 1 })
    const several = await defineField({
      profileRequired: true,
      order: 2,
      fieldType: 'combobox',
      multiple: true,
      items: itemsOf('a', 'b'),
    })
    await defineField({ profileRequired: true, fieldType: 'picture' })
    const optional = await defineField()
    const { email, send } = await begin()
    const empty = [badge, several].map((code) => ({ field: `additionalInfo.${code}`, code: 'errorEmpty' }))
    expect(faultsOf(await send())).toEqual(empty)
    expect(faultsOf(await send({ [badge]: ' ', [several]: [] }))).toEqual(empty)
    const value = { [badge]: randomUUID(), [several]: ['b'] }
    // what the form doesn't ask for isn't taken either
    expect(faultsOf(await send({ ...value, [optional]: 'x' }))).toEqual([
      { field: `additionalInfo.${optional}`, code: 'errorUnknownField' },
    ])
    expect(await accountOf(email)).toBeUndefined()
    expect(await send(value)).toMatchObject({ status: 200 })
    const account = await accountOf(email)
    expect(account?.values).toEqual(value)
    expect(await requiredFieldsEmpty(account?.id ?? '')).toEqual([])
    const rows = await db()
      .select()
      .from(history)
      .where(eq(history.entityId, account?.id ?? ''))
    expect(rows.find(({ field }) => field === `field:${badge}`)?.current).toBe(value[badge])
    // the value is this account's now
    const second = await begin()
    expect(faultsOf(await second.send({ ...value, [badge]: String(value[badge]).toUpperCase() }))).toEqual([
      { field: `additionalInfo.${badge}`, code: 'errorUnique' },
    ])
    expect(await accountOf(second.email)).toBeUndefined()
  })

  test.each(codes)('refuses a value by its definition: %s', async (code) => {
    const { wishes, value } = refusedValues[code]
    const field = await defineField({ ...wishes, profileRequired: true })
    const { email, send } = await begin()
    expect(faultsOf(await send({ [field]: value }))).toEqual([
      expect.objectContaining({ field: `additionalInfo.${field}`, code }),
    ])
    expect(await accountOf(email)).toBeUndefined()
  })
})
