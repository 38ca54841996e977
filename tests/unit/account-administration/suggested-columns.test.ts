import { expect, test } from 'vitest'
import { suggestedColumns } from '@/lib/account-administration/user-import/plan'
import type { TableField } from '@/lib/accounts/user-table/cells'

const codes = [
  'login',
  'email',
  'mobile',
  'fio',
  'lastName',
  'firstName',
  'middleName',
  'birthDate',
  'gender',
  'locale',
]
const fields = codes.map((code) => ({ code, title: `«${code}»`, others: [] })) as unknown as TableField[]
const suggested = (head: string[]) =>
  suggestedColumns(head, { fields, tables: [], last: null }).map(({ target }) => target?.replace('field.', '') ?? null)

test.each([
  ['Active Directory', ['sAMAccountName', 'sn', 'givenName', 'employeeID', 'telephoneNumber', 'mail']],
  ['a list in English', ['Login', 'Surname', 'First name', 'Employee ID', 'Phone number', 'E-mail']],
])('the heads of an export of %s are known', (_, head) => {
  expect(suggested(head)).toEqual(['login', 'lastName', 'firstName', 'externalId', 'mobile', 'email'])
})

test('so are those of a person’s own data', () => {
  expect(suggested(['DOB', 'Sex', 'Preferred language'])).toEqual(['birthDate', 'gender', 'locale'])
  expect(suggested(['Date of birth', 'Пол', 'preferredLanguage'])).toEqual(['birthDate', 'gender', 'locale'])
  expect(suggested(['displayName', 'userPrincipalName', 'employeeNumber'])).toEqual(['fio', null, 'externalId'])
})
