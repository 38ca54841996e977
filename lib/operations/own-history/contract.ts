import { z } from 'zod'
import { contract } from '@/lib/base/contracts/contract'
import { CursorMeta } from '@/lib/base/lists/lists'
import { HistoryQuery, KnownChanger } from '@/lib/operations/history/contract'

/** One value of a change: a text, a number, the key of a choice's text, or the id of an object. */
const Shown = z.strictObject({
  as: z.enum(['text', 'number', 'yesNo', 'date', 'json', 'choice', 'reference', 'cut']),
  value: z.unknown(),
  text: z.string().optional(),
  length: z.number().int().optional(),
})

const plainDiffs = [
  /** The value isn't stored: only that it was set, changed or removed is known. */
  z.strictObject({ kind: z.literal('secret'), act: z.enum(['set', 'changed', 'removed']) }),
  z.strictObject({ kind: z.literal('value'), previous: Shown.nullable(), current: Shown.nullable() }),
  z.strictObject({
    kind: z.literal('list'),
    removed: z.array(Shown),
    added: z.array(Shown),
    kept: z.number().int(),
    moved: z.boolean(),
  }),
] as const

/** One step into a value: to a member, to an item by its id or code, or to an item by its position, counted from 1. */
const Step = z.discriminatedUnion('as', [
  z.strictObject({ as: z.literal('member'), name: z.string(), label: z.string().nullable() }),
  z.strictObject({ as: z.literal('named'), id: z.string() }),
  z.strictObject({ as: z.literal('place'), number: z.number().int() }),
])

const Diff = z.discriminatedUnion('kind', [
  ...plainDiffs,
  /** The difference at each place of a value with members. */
  z.strictObject({
    kind: z.literal('nested'),
    leaves: z.array(z.strictObject({ path: z.array(Step), diff: z.discriminatedUnion('kind', plainDiffs) })),
  }),
])

const Act = z.strictObject({
  id: z.string(),
  type: z.enum(['create', 'update', 'delete', 'login']),
  date: z.iso.datetime(),
  /** The IP address; null unless the person acted themselves. */
  ip: z.string().nullable(),
  who: z.strictObject({
    kind: z.enum(['person', 'application', 'unknown', 'platform']),
    name: z.string().optional(),
  }),
  changes: z.array(
    z.strictObject({
      field: z.string(),
      label: z.string().nullable(),
      /** The title of a field that administrators define. */
      title: z.string().optional(),
      member: z.string().optional(),
      diff: Diff,
    }),
  ),
})

export const getProfileHistory = contract({
  name: 'getProfileHistory',
  method: 'GET',
  path: '/user/profile/history',
  summary: 'What was done to the person’s account, the newest first, as differences; secrets are masked',
  tag: 'personal',
  access: 'user',
  query: HistoryQuery,
  response: z.strictObject({
    acts: z.array(Act),
    /** Names of the objects that values refer to, by id. */
    names: z.record(z.string(), z.string()),
    /** The fields by which the history can be filtered. */
    fields: z.array(z.strictObject({ name: z.string(), label: z.string(), title: z.string().optional() })),
    /** The changers chosen by `filter[changer]`. */
    changers: z.array(KnownChanger),
    meta: CursorMeta,
  }),
})
