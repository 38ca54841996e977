import type { sessions } from '@/db/schema/entry'
import type { history } from '@/db/schema/operations'
import type { DemoPerson } from './people'
import { demoNow, type Random, randomFrom } from './random'

type Row = typeof history.$inferInsert
type Change = Pick<Row, 'entity' | 'entityId' | 'field' | 'previous' | 'current' | 'subtype'>

const halfYear = 182 * 86_400_000

const settingChanges: [id: string, previous: unknown, current: unknown][] = [
  ['authCodeDigits', 4, 6],
  ['authCodeDigits', 6, 4],
  ['authCodeAlive', { value: 5, unit: 'minutes' }, { value: 10, unit: 'minutes' }],
  ['passwordHistory', 3, 5],
  ['registrationsPerIp', 50, 20],
  ['historyRetention', 180, 365],
  ['inviteAlive', { value: 3, unit: 'days' }, { value: 7, unit: 'days' }],
  ['uiNavMini', true, false],
]

function profileChange(random: Random, { user }: DemoPerson): Change {
  const entity = { entity: 'users', entityId: user.id }
  const { position } = user.values as { position?: string }
  const changes: Change[] = [
    { ...entity, field: 'mobile', previous: `+7900${2_000_000 + random.below(999_999)}`, current: user.mobile },
    { ...entity, field: 'field:position', subtype: 'work', previous: 'Стажёр', current: position ?? null },
    { ...entity, field: 'password', previous: '***', current: '***' },
    { ...entity, field: 'locale', previous: null, current: user.locale ?? 'ru' },
    { ...entity, field: 'birthDate', previous: null, current: user.birthDate ?? null },
  ]
  return random.pick(changes.filter(({ previous, current }) => previous !== null || current !== null))
}

function rowAt(date: Date, random: Random, people: DemoPerson[]): Row {
  const person = random.pick(people)
  const [administrator] = people
  const ip = random.chance(0.8)
    ? `192.0.2.${1 + random.below(250)}`
    : `2001:db8::${(1 + random.below(4_000)).toString(16)}`
  const byThemselves = { date, ip, changerId: person.user.id }
  const byAdministrator = { date, ip: '198.51.100.7', changerId: administrator?.user.id ?? null }
  const kind = random.next()
  if (kind < 0.72) return { ...byThemselves, type: 'login', entity: 'users', entityId: person.user.id }
  if (kind < 0.93) return { ...byThemselves, type: 'update', ...profileChange(random, person) }
  if (kind < 0.97) {
    const [field, previous, current] = random.pick(settingChanges)
    return { ...byAdministrator, type: 'update', entity: 'settings', entityId: field, field, previous, current }
  }
  const enabled = { entity: 'users', entityId: person.user.id, field: 'enabled' }
  return {
    ...byAdministrator,
    type: 'update',
    ...enabled,
    previous: person.user.enabled === false,
    current: person.user.enabled !== false,
  }
}

/** The newest session of each person, of their newest sign-in in the history; it has expired since. */
export function demoSessions(rows: readonly Row[], domainId: string): (typeof sessions.$inferInsert)[] {
  const newest = new Map<string, Row & { date: Date }>()
  for (const row of rows) if (row.type === 'login' && row.date) newest.set(row.entityId, { ...row, date: row.date })
  return [...newest].map(([userId, { date, ip }]) => {
    const endedAt = new Date(date.getTime() + 86_400_000)
    return {
      ...{ userId, domainId, ip: ip ?? '', deviceType: 'desktop' },
      ...{ createdAt: date, lastAccessAt: date, changedAt: endedAt },
      ...{ expiresAt: new Date(date.getTime() + 7 * 86_400_000), endedAt, endReason: 'expired' },
    }
  })
}

/** Half a year of sign-ins and changes, oldest first. */
export function demoHistory(count: number, people: DemoPerson[]): Row[] {
  const random = randomFrom(1_612_026)
  const moments = Array.from({ length: count }, () => demoNow.getTime() - Math.round(random.next() * halfYear))
  return moments.sort((one, other) => one - other).map((moment) => rowAt(new Date(moment), random, people))
}
