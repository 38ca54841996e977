import { expect, test } from 'vitest'
import { copyOf, differences } from '@/app/platform/(admin)/setting/roles/_ui/role-copy'
import type { Method } from '@/lib/access/roles/contract'

const application = { id: 'app', code: 'warehouse', name: 'Склад', nameEn: 'Warehouse' }
const method = (id: string, name: string, more: Partial<Method> = {}): Method => ({
  id,
  code: id,
  name,
  nameEn: null,
  kind: 'systemic',
  application: null,
  grantable: true,
  ...more,
})
const read = method('users.read', 'Пользователи: просмотр')
const write = method('users.write', 'Пользователи: изменение', { grantable: false })
const roles = method('roles.read', 'Роли: просмотр')
const ownMethod = method('own', 'Приёмка', { kind: 'application', application })

test('a copy begins with what the reader may grant, and with nothing that belongs to the other role alone', () => {
  const shipped = {
    id: 'x',
    code: 'support',
    name: 'Поддержка',
    nameEn: 'Support',
    comment: 'Отвечает людям',
    commentEn: 'Answers people',
    roleType: 'organizational' as const,
    enabled: false,
    immutable: true,
    updatedAt: '2026-11-01T00:00:00.000Z',
    methodCount: 3,
    holders: { count: 4, more: false },
    methods: [read, write, ownMethod],
    usedIn: [],
  }
  expect(copyOf(shipped, 'Поддержка (копия)')).toEqual({
    name: 'Поддержка (копия)',
    nameEn: '',
    comment: 'Отвечает людям',
    commentEn: 'Answers people',
    roleType: 'organizational',
    methods: ['users.read', 'own'],
  })
  expect(copyOf(shipped, 'я'.repeat(120)).name).toHaveLength(100)
  expect(copyOf(null, '')).toEqual({
    name: '',
    nameEn: '',
    comment: '',
    commentEn: '',
    roleType: 'systemic',
    methods: [],
  })
})

const labels = (groups: ReturnType<typeof differences>[number]) =>
  groups.map(({ name, methods }) => [name, ...methods.map(({ label }) => label)])

test('of two roles each shows what only it has, by area and application', () => {
  const [one, other] = differences({ methods: [read, write, ownMethod] }, { methods: [roles, read] }, 'ru')
  expect(labels(one)).toEqual([
    ['Пользователи', 'Изменение'],
    ['Склад', 'Приёмка'],
  ])
  expect(labels(other)).toEqual([['Роли', 'Просмотр']])
})

test('equal roles show nothing, in any order, and an empty role shows all of the other one', () => {
  expect(differences({ methods: [read, ownMethod] }, { methods: [ownMethod, read] }, 'ru')).toEqual([[], []])
  const [one, other] = differences({ methods: [] }, { methods: [read, ownMethod] }, 'ru')
  expect([one, labels(other)]).toEqual([
    [],
    [
      ['Пользователи', 'Просмотр'],
      ['Склад', 'Приёмка'],
    ],
  ])
})

test('a method is compared by itself, not by its name: two applications may call theirs alike', () => {
  const second = { ...ownMethod, id: 'own-2', application: { ...application, id: 'app-2', name: 'Архив' } }
  const [one, other] = differences({ methods: [ownMethod] }, { methods: [second] }, 'ru')
  expect([labels(one), labels(other)]).toEqual([[['Склад', 'Приёмка']], [['Архив', 'Приёмка']]])
})
