import { randomUUID } from 'node:crypto'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { db } from '@/db/client'
import { history } from '@/db/schema'
import type { Ctx } from '@/lib/base/context/ctx'
import { parseOrThrow } from '@/lib/base/http/read'
import { historyTypes, WholeHistoryQuery } from '@/lib/operations/history/contract'
import { readWhole } from '@/lib/operations/history/queries'
import { listHistory, wholeHistory } from '@/lib/operations/history/service'
import { createContext } from '../../factories/context'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'

// docs/rules/administration-screens.md#whole-history: the filters by field and by kind of act
useTestDatabase()

const random = caseNumbers(65_537)
const any = <T>(of: readonly T[]): T => of[random(of.length)] as T
const names = ['name', 'url', 'comment', 'ip']
let ctx: Ctx
let places = 0
beforeAll(async () => {
  ctx = await createContext({ methods: ['history.read', 'network-aliases.read'] })
})

/** Acts on a few objects, several at the same moment, each with some fields or none. */
async function plantActs(ip: string) {
  const objects = Array.from({ length: 5 }, () => randomUUID())
  const moments = Array.from(
    { length: 4 },
    (_, n) => new Date(Date.UTC(2026, 4, 1 + n, 9, 0, random(60), random(1_000))),
  )
  const acts = Array.from({ length: 40 }, () => ({
    ...{ date: any(moments), entityId: any(objects), requestId: randomUUID(), type: any(historyTypes) },
    fields: names.filter(() => random(3) === 0),
  }))
  // an act is stored at once, one act of an object after another
  for (const { fields, ...act } of acts.toSorted((a, b) => a.date.getTime() - b.date.getTime()))
    await db()
      .insert(history)
      .values(
        (fields.length > 0 ? fields : [null]).map((field) => ({
          ...act,
          entity: 'network-aliases',
          field,
          current: 'x',
          ip,
        })),
      )
  return acts
}

test.each([0, 3, 2_000])(
  'rows and acts of a field and a kind are those that have it, at most %i rows read whole',
  async (rows) => {
    const original = { ...readWhole }
    Object.assign(readWhole, { rows })
    onTestFinished(() => void Object.assign(readWhole, original))
    for (const _ of eachRound(5)) {
      const ip = `198.51.100.${++places}`
      const acts = await plantActs(ip)
      for (let n = 0; n < 12; n++) {
        const param = random(4) > 0 ? any([...names, 'nothing']) : undefined
        const types = random(2) === 0 ? [any(historyTypes), any(historyTypes)] : undefined
        const filter = { ip, ...(param ? { param } : {}), ...(types ? { type: types } : {}) }
        const expected = acts.filter(
          (act) => (!param || act.fields.includes(param)) && (!types || types.includes(act.type)),
        )
        const read = async <T>(
          of: (query: ReturnType<typeof whole>) => Promise<{ rows: T[]; after: string | null }>,
        ) => {
          const all: T[] = []
          for (let after: string | null | undefined; after !== null; ) {
            const page = await of(whole(filter, after))
            all.push(...page.rows)
            after = page.after
          }
          return all
        }
        const listed = await read(async (query) => {
          const page = await wholeHistory(ctx, query)
          return { rows: page.acts, after: page.meta.after }
        })
        const described = (act: { type: string; date: string; id: string | undefined; fields: (string | null)[] }) =>
          JSON.stringify([act.type, act.date, act.id, act.fields.toSorted()])
        expect(
          listed
            .map(({ type, date, object, changes }) =>
              described({ type, date, id: object?.id, fields: changes.map(({ field }) => field) }),
            )
            .toSorted(),
        ).toEqual(
          expected
            .map(({ type, date, entityId, fields }) =>
              described({ type, date: date.toISOString(), id: entityId, fields }),
            )
            .toSorted(),
        )
        const fieldRows = await read(async (query) => {
          const page = await listHistory(ctx, { query })
          return { rows: page.data, after: page.meta.after }
        })
        expect(fieldRows.map(({ requestId, field }) => `${requestId} ${field}`).toSorted()).toEqual(
          expected
            .flatMap(({ requestId, fields }) =>
              (fields.length > 0 ? fields : [null])
                .filter((field) => !param || field === param)
                .map((field) => `${requestId} ${field}`),
            )
            .toSorted(),
        )
      }
    }
  },
)

const whole = (filter: object, after: string | null | undefined) =>
  parseOrThrow(WholeHistoryQuery, { filter, meta: { perPage: '10', ...(after ? { after } : {}) } })
