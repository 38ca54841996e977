import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { db } from '@/db/client'
import { documents, userAgreementRefusals, userAgreements, users } from '@/db/schema'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { isFound } from '@/lib/base/lists/search-form'
import { acceptanceStates, listAcceptances } from '@/lib/documents/document-campaigns/contract'
import { readWhole } from '@/lib/documents/document-campaigns/queries'
import { baseDomainId, requiredAgreement } from '../../factories/agreements'
import { callerFor } from '../../factories/caller'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { setSetting } from '../../factories/settings'
import { useTestDatabase } from '../../setup/database'

// The list of acceptances against a plain computation over the rows (docs/rules/agreements.md#who-has-agreed).
useTestDatabase()

const random = caseNumbers(1729)
const maybe = (oneIn: number) => random(oneIn) === 0
const any = <T>(of: readonly T[]): T => of[random(of.length)] as T
const day = (n: number) => `2026-05-${String(n).padStart(2, '0')}`
const version = 3

/** People who agreed to some versions on random days, refused, or did neither, and an agreement of the third version. */
async function plant(required: boolean) {
  const { id } = await requiredAgreement(required ? [await baseDomainId()] : [])
  await db().update(documents).set({ version }).where(eq(documents.id, id))
  const people = Array.from({ length: 40 }, (_, n) => ({
    ...{ id: randomUUID(), login: `${n}-${randomUUID()}`, email: `e${n}-${randomUUID()}@polaris.example` },
    ...{ fio: any(['', 'Орлова Анна', 'Орлов Иван', 'Ли Юй']), enabled: !maybe(4) },
  }))
  await db().insert(users).values(people)
  const agreements = people.flatMap(({ id: userId }) =>
    [1, 2, 3]
      .filter(() => maybe(3))
      .map((each) => ({ userId, documentId: id, version: each, agreedAt: at(1 + random(20)), ip: `10.0.0.${each}` })),
  )
  const refusals = people
    .filter(() => maybe(4))
    .map(({ id: userId }) => ({ userId, documentId: id, refusedAt: at(1 + random(20)) }))
  if (agreements.length > 0) await db().insert(userAgreements).values(agreements)
  if (refusals.length > 0) await db().insert(userAgreementRefusals).values(refusals)
  return { id, people, agreements, refusals }
}
const at = (n: number) => new Date(`${day(n)}T09:00:00Z`)

type Planted = Awaited<ReturnType<typeof plant>>
type Filter = { search?: string; state?: string; version?: number; dateFrom?: string; dateTo?: string }

function expectedOf({ people, agreements, refusals }: Planted, required: boolean, filter: Filter) {
  return people.flatMap((person) => {
    const answers = agreements.filter(({ userId }) => userId === person.id)
    const refusal = refusals.find(({ userId }) => userId === person.id)
    const concerned = required && person.enabled
    if (answers.length === 0 && !refusal && !concerned) return []
    const accepted = answers.some((each) => each.version === version)
    const state = accepted ? 'accepted' : refusal ? 'refused' : concerned ? 'outstanding' : 'earlier'
    const candidates = answers.filter((each) => filter.version === undefined || each.version === filter.version)
    const last = candidates.toSorted((a, b) => b.version - a.version)[0]
    const date = last?.agreedAt ?? refusal?.refusedAt
    const on = date?.toISOString().slice(0, 10)
    return (filter.version === undefined || last) &&
      (!filter.state || filter.state === state) &&
      (!filter.search || isFound(filter.search, [person.fio, person.login, person.email])) &&
      (!filter.dateFrom || (on && on >= filter.dateFrom)) &&
      (!filter.dateTo || (on && on <= filter.dateTo))
      ? [
          {
            id: person.id,
            state,
            version: last?.version ?? null,
            date: date?.toISOString() ?? null,
            ip: last?.ip ?? null,
          },
        ]
      : []
  })
}

test.each([0, 3, 2_000])(
  'random filters and orders list whom the tables say, at most %i answers read whole',
  async (answers) => {
    const original = { ...readWhole }
    Object.assign(readWhole, { answers })
    onTestFinished(() => void Object.assign(readWhole, original))
    await setSetting('agreementsAtOnce', false)
    const caller = await callerFor(listAcceptances)
    for (const _ of eachRound(10)) {
      // nobody but those who are planted
      await db()
        .update(users)
        .set({ enabled: sql`login in (select login from users join sessions on user_id = users.id)` })
      const required = !maybe(3)
      const planted = await plant(required)
      for (let n = 0; n < 12; n++) {
        const filter: Filter = {
          ...(maybe(4) ? { search: any(['орлов', 'анна орл', 'ли', '@polaris', 'nobody']) } : {}),
          ...(maybe(3) ? { state: any(acceptanceStates) } : {}),
          ...(maybe(4) ? { version: 1 + random(4) } : {}),
          ...(maybe(3) ? { dateFrom: day(1 + random(22)) } : {}),
          ...(maybe(3) ? { dateTo: day(1 + random(22)) } : {}),
        }
        const order = { sortBy: any(['date', 'name']), sort: any(['asc', 'desc']) }
        const listed: CallOutput<typeof listAcceptances>['acceptances'] = []
        let total: number | undefined
        for (let after: string | null | undefined; after !== null; ) {
          const query: object = { filter, ...order, meta: { perPage: 10, ...(after ? { after } : {}) } }
          const input = { params: { id: planted.id }, query }
          const page: CallOutput<typeof listAcceptances> = await caller.call(listAcceptances, input as never)
          listed.push(...page.acceptances)
          total ??= page.meta.total
          after = page.meta.after
        }
        const ofPlanted = listed.filter(({ id }) => planted.people.some((person) => person.id === id))
        const compared = ofPlanted.map(({ id, state, version: of, date, ip }) => ({ id, state, version: of, date, ip }))
        const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
        expect([filter, order, compared.toSorted(byId)]).toEqual([
          filter,
          order,
          expectedOf(planted, required, filter).toSorted(byId),
        ])
        expect(total).toBe(listed.length)
        if (order.sortBy === 'date') {
          const dates = listed.map(({ date }) => date ?? '9')
          expect(dates).toEqual(order.sort === 'asc' ? dates.toSorted() : dates.toSorted().toReversed())
        }
      }
    }
  },
)
