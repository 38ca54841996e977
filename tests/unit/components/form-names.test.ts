import { expect, test } from 'vitest'
import { bodyFields, type FieldName, fieldsOf, rowFields } from '@/components/form/field-name'
import type { FurtherCode } from '@/lib/fields/profile-fields/further-fields'
import type { NameField } from '@/lib/fields/profile-fields/person-form'
import type { acceptInvitation } from '@/lib/joining/invitations/contract'
import type { registrationComplete, registrationLink } from '@/lib/joining/registration/contract'
import type { patchUserSettings } from '@/lib/my-account/settings/contract'
import type { createNetworkAlias } from '@/lib/network/network-aliases/contract'

/* The marks show what must not compile. If such a line compiled, `tsc`, which `npm run check` also runs on the tests, would report the mark as an error. */
const alias = bodyFields<typeof createNetworkAlias>()
type Line = FieldName<string | null | undefined>

test('a field is named as in its contract’s body, also nested and in rows', () => {
  expect(alias('name')).toBe('name')
  expect(alias('ips')).toBe('ips')
  expect(alias('ips.0.ip')).toBe('ips.0.ip')
  expect(bodyFields<typeof patchUserSettings>()('settings.navMini')).toBe('settings.navMini')
  expect(rowFields<{ ip: string }>('ips.2')('ip')).toBe('ips.2.ip')
})

test('any other name is refused by the compiler', () => {
  // @ts-expect-error the body has no such field
  alias('nam')
  // @ts-expect-error a row has no such field
  alias('ips.0.address')
  // @ts-expect-error the list isn't a field of its rows
  alias('ips.ip')
  // @ts-expect-error settings have no such field
  bodyFields<typeof patchUserSettings>()('settings.colour')
  // @ts-expect-error the row has no such field
  rowFields<{ ip: string }>('ips.2')('comment')
  // @ts-expect-error a form has only its own fields
  fieldsOf<{ name: string }>({})('ips')
  // @ts-expect-error a plain string isn't a name: `fieldsOf` must create it
  const bare: FieldName = 'name'
  expect(bare).toBe('name')
})

test('a control accepts only fields of its type of value', () => {
  const line: Line = alias('name')
  // @ts-expect-error a list isn't a text
  const list: Line = alias('ips')
  // @ts-expect-error a switch isn't a text
  const flag: Line = bodyFields<typeof patchUserSettings>()('settings.navMini')
  expect([line, list, flag]).toHaveLength(3)
})

test('the fields of public forms are in the body of each of their calls', () => {
  const completed = bodyFields<typeof registrationComplete>()
  const accepted = bodyFields<typeof acceptInvitation>()
  const codes: readonly (NameField['code'] | FurtherCode)[] = ['fio', 'lastName', 'login', 'comment']
  for (const code of codes) expect([completed(code), accepted(code)]).toEqual([code, code])
  const asked: readonly NameField['code'][] = ['fio', 'middleName']
  for (const code of asked) expect(bodyFields<typeof registrationLink>()(code)).toBe(code)
})
