import type { Act, Change, KnownField, Names } from '@/lib/operations/history/contract'
import type { Shown } from '@/lib/operations/history/shown'

const text = (value: string): Shown => ({ as: 'text', value })
const roles = ['r1', 'r2', 'r3', 'r4'].map((value): Shown => ({ as: 'reference', value }))
const [engineer, observer, , safety] = roles as [Shown, Shown, Shown, Shown]

/** Names of what the example's values refer to. */
export const sampleNames: Names = {
  r1: 'Инженер',
  r2: 'Наблюдатель',
  r3: 'Кладовщик',
  r4: 'Ответственный за допуски',
  l1: 'Русский',
}

const changes: Change[] = [
  {
    field: 'mobile',
    label: 'history.users.mobile',
    diff: { kind: 'value', previous: text('+7 921 204-18-60'), current: text('+7 921 204-18-66') },
  },
  {
    field: 'roles',
    label: 'history.users.roles',
    diff: { kind: 'list', removed: [observer], added: [safety, engineer], kept: 4, moved: false },
  },
  {
    field: 'birthDate',
    label: 'history.users.birthDate',
    diff: { kind: 'value', previous: null, current: { as: 'date', value: '1987-03-14' } },
  },
  { field: 'password', label: 'history.users.password', diff: { kind: 'secret', act: 'changed' } },
  {
    field: 'agreement:3f0d0c5a',
    label: 'history.users.agreement',
    member: '3f0d0c5a',
    diff: { kind: 'value', previous: { as: 'number', value: 3 }, current: { as: 'number', value: 4 } },
  },
]

const long: Change[] = [
  {
    field: 'comment',
    label: 'history.users.comment',
    diff: {
      kind: 'value',
      previous: text('Пропуск действует до конца года. '.repeat(12)),
      current: { as: 'cut', value: 'Порядок допуска подрядчиков. '.repeat(40), length: 1_048_576 },
    },
  },
  {
    field: 'endless',
    label: null,
    diff: { kind: 'value', previous: text('x'.repeat(180)), current: text('y'.repeat(180)) },
  },
  { field: 'order', label: null, diff: { kind: 'list', removed: [], added: [], kept: 3, moved: true } },
]

/** A structured value: a row for each place at which it differs. */
const nested: Change[] = [
  {
    field: 'locales',
    label: 'domains.locales',
    diff: {
      kind: 'nested',
      leaves: [
        {
          path: [
            { as: 'named', id: 'l1' },
            { as: 'member', name: 'projectTitle', label: 'domains.projectTitle' },
          ],
          diff: { kind: 'value', previous: text('Полярис'), current: text('Полярис Север') },
        },
        {
          path: [
            { as: 'named', id: 'l1' },
            { as: 'member', name: 'technical', label: 'domains.technical' },
            { as: 'place', number: 2 },
            { as: 'member', name: 'link', label: 'domains.technicalLink' },
          ],
          diff: { kind: 'value', previous: null, current: text('mailto:help@polaris.example') },
        },
        {
          path: [{ as: 'named', id: '3a6f91f2-7a1e-4f3e-9a53-0d7f6b1c2e4d' }],
          diff: { kind: 'list', removed: [observer], added: [engineer], kept: 1, moved: false },
        },
      ],
    },
  },
]

const act = (day: number, date: string, fields: Partial<Act>): Act => ({
  id: String(day),
  type: 'update',
  date,
  ip: '10.12.4.31',
  who: { kind: 'person', name: 'Полярная Вера Андреевна' },
  changes: [],
  ...fields,
})

/** Audit events of every kind. */
export const sampleActs: Act[] = [
  act(9, '2026-11-19T13:05:00Z', { changes }),
  act(8, '2026-11-19T12:48:00Z', { changes: long, ip: '2a02:6b8:0:1a2d:ffff:ffff:ffff:ffff' }),
  act(7, '2026-11-19T11:20:00Z', { type: 'login', who: { kind: 'person', name: 'Гусева Марина' } }),
  act(10, '2026-11-18T10:15:00Z', { changes: nested }),
  act(6, '2026-11-18T09:00:00Z', {
    who: { kind: 'unknown', name: '3f0d0c5a-7a1e-4f3e-9a53-0d7f6b1c2e4d' },
    changes: changes.slice(0, 1),
  }),
  act(5, '2026-11-18T08:37:00Z', {
    type: 'delete',
    who: { kind: 'application', name: 'Каталог Полярис' },
    changes: [
      {
        field: 'login',
        label: 'history.users.login',
        diff: { kind: 'value', previous: text('d.orlov'), current: null },
      },
    ],
  }),
  act(4, '2026-11-17T06:00:00Z', {
    type: 'create',
    who: { kind: 'platform' },
    ip: null,
    changes: [
      {
        field: 'login',
        label: 'history.users.login',
        diff: { kind: 'value', previous: null, current: text('d.orlov') },
      },
      {
        field: 'enabled',
        label: 'history.users.enabled',
        diff: { kind: 'value', previous: null, current: { as: 'yesNo', value: true } },
      },
      {
        field: 'gender',
        label: 'history.users.gender',
        diff: {
          kind: 'value',
          previous: null,
          current: { as: 'choice', value: 'man', text: 'history.users.genders.man' },
        },
      },
    ],
  }),
]

/** The fields that the example offers as a filter. */
export const sampleFields: KnownField[] = [
  { name: 'mobile', label: 'history.users.mobile' },
  { name: 'roles', label: 'history.users.roles' },
]
