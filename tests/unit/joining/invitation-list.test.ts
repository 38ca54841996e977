import { expect, test } from 'vitest'
import { csvBeginning, csvOf } from '@/lib/base/tables/csv'
import { mostRows, parseInvitations } from '@/lib/joining/invitation-import/parse'
import { caseNumbers, eachRound } from '../../factories/random-cases'

const rowsOf = (text: string) => {
  const parsed = parseInvitations(text)
  return 'fault' in parsed ? parsed : parsed.rows.map(({ row, cells }) => [row, ...Object.values(cells)])
}
const cells = (email: string, inn = '', kpp = '', organization = '', roles = '') => [
  email,
  inn,
  kpp,
  organization,
  roles,
]

test.each([
  ['semicolons', 'email;inn;kpp;organization;roles\r\na@x.example;7701234567;;Polaris;Supplier\r\n'],
  ['commas', 'E-mail,INN,KPP,Organization,Roles\na@x.example,7701234567,,Polaris,Supplier'],
  ['tabs', 'email\tinn\tkpp\torganization\troles\na@x.example\t7701234567\t\tPolaris\tSupplier'],
  ['Russian names in another order', '\ufeffРоли;Эл. почта;ИНН;Организация\nSupplier;a@x.example;7701234567;Polaris'],
  ['quotes', '"e-mail";"инн";"организация";"роль"\n"a@x.example";"7701234567";"Polaris";"Supplier"'],
])('reads a table with %s', (_, text) => {
  expect(rowsOf(text)).toEqual([[2, ...cells('a@x.example', '7701234567', '', 'Polaris', 'Supplier')]])
})

test('keeps separators, quotes and line ends inside quotes', () => {
  expect(rowsOf('email;organization;roles\na@x.example;"ООО ""Лиман""; склад";"one;two\nthree"')).toEqual([
    [2, ...cells('a@x.example', '', '', 'ООО "Лиман"; склад', 'one;two\nthree')],
  ])
})

test('numbers rows as a spreadsheet does: empty rows and the names count', () => {
  expect(rowsOf('\n\nemail;inn\n;\na@x.example;1\n\nb@x.example;2\n')).toEqual([
    [5, ...cells('a@x.example', '1')],
    [7, ...cells('b@x.example', '2')],
  ])
})

test('names the columns that mean nothing here, and takes the first of two with one meaning', () => {
  expect(parseInvitations('email;phone;mail\na@x.example;1;b@x.example')).toEqual({
    rows: [{ row: 2, cells: { email: 'a@x.example', inn: '', kpp: '', organization: '', roles: '' } }],
    ignored: ['phone', 'mail'],
  })
})

test('takes no name of a column for more than a name', () => {
  expect(parseInvitations('email;constructor;__proto__;hasOwnProperty\na@x.example;1;2;3')).toEqual({
    rows: [{ row: 2, cells: { email: 'a@x.example', inn: '', kpp: '', organization: '', roles: '' } }],
    ignored: ['constructor', '__proto__', 'hasOwnProperty'],
  })
})

test.each([
  ['one on a line', 'a@x.example\nb@x.example\n\nc@x.example', [1, 2, 4]],
  ['in one line', 'a@x.example, b@x.example; c@x.example', [1, 2, 3]],
  ['with spaces', 'a@x.example b@x.example\nc@x.example', [1, 2, 3]],
  ['with names of people', 'Орлов Д. <a@x.example>\n"Name, Given" <b@x.example>\n<c@x.example>', [1, 2, 3]],
])('reads a list of addresses %s', (_, text, numbers) => {
  const parsed = parseInvitations(text)
  if ('fault' in parsed) throw new Error(parsed.fault)
  expect(parsed.rows.map(({ cells: { email } }) => email)).toEqual(['a@x.example', 'b@x.example', 'c@x.example'])
  expect(parsed.rows.map(({ row }) => row)).toEqual(numbers)
})

test.each([
  ['', 'importEmpty', 1],
  [' \n;;\n', 'importEmpty', 1],
  ['email;inn', 'importEmpty', 1],
  ['name;phone\nOrlov;1', 'importNoEmail', 1],
  // which column is which isn't guessed
  ['a@x.example;7701234567\nb@x.example;7701234567', 'importNoEmail', 1],
  ['email;roles\na@x.example;"one', 'importQuotes', 2],
])('refuses %j', (text, fault, row) => {
  expect(parseInvitations(text)).toEqual({ fault, row })
})

test('refuses a list that is too long before all of it is split', () => {
  const tooMany = { fault: 'importTooMany', max: mostRows }
  const list = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@x.example`).join('\n')
  expect(rowsOf(list(mostRows))).toHaveLength(mostRows)
  for (const text of [
    list(mostRows + 1),
    list(mostRows + 1).replaceAll('\n', ' '),
    `email\n${list(mostRows + 1)}`,
    // empty lines and cells by the hundred thousand
    '\n'.repeat(900_000),
    `email\n${'\r'.repeat(900_000)}`,
    ';'.repeat(900_000),
    `email${';'.repeat(900_000)}`,
    'a@x '.repeat(220_000),
    'a@x.example,'.repeat(80_000),
  ])
    expect(parseInvitations(text), text.slice(0, 20)).toEqual(tooMany)
  expect(parseInvitations('""'.repeat(450_000))).toEqual({ fault: 'importNoEmail', row: 1 })
  expect(parseInvitations('"x\n'.repeat(300_000))).toEqual({ fault: 'importQuotes', row: 1 })
})

const signs = [...'a@;,\t"\n\r=\ufeff <>|я']
test('any text is read or refused, quickly and without an exception', () => {
  const random = caseNumbers(60)
  for (const round of eachRound(2_000)) {
    const text = Array.from({ length: round % 60 }, () => signs[random(signs.length)]).join('')
    for (const whole of [text, `email;inn\n${text}`]) {
      const parsed = parseInvitations(whole)
      if ('fault' in parsed) continue
      const numbers = parsed.rows.map(({ row }) => row)
      expect(new Set(numbers).size, JSON.stringify(whole)).toBe(numbers.length)
    }
  }
})

test('a file of wrong rows comes back as it was: with apostrophes, and with a line that says the separator', () => {
  const rows = [
    ['E-mail', 'ИНН', 'Роли'],
    ['+a@x.example', '7701234567', "'=Роль"],
  ]
  const cells = { email: '+a@x.example', inn: '7701234567', kpp: '', organization: '', roles: "'=Роль" }
  expect(parseInvitations(csvBeginning + csvOf(rows))).toEqual({ rows: [{ row: 2, cells }], ignored: [] })
  const parsed = parseInvitations('sep=,\r\nemail,roles\r\na@x.example,"b;c"')
  expect(parsed).toMatchObject({ rows: [{ row: 2, cells: { email: 'a@x.example', roles: 'b;c' } }] })
})
