import { z } from 'zod'
import { contract, Id, line } from '@/lib/kernel/http/contract'
import { listQuery } from '@/lib/kernel/lists'
import { entityNames } from '@/lib/kernel/record/entity-names.generated'
import type { Diff } from './diff'

/** The query of an object's history: the newest act first, by cursor. */
export const HistoryQuery = listQuery({
  filters: {
    /** Who did it: the id of a person or an application, or the platform itself. */
    changer: z.union([z.literal('platform'), Id], { error: 'errorFormat' }).optional(),
    type: z.enum(['create', 'update', 'delete', 'login']).optional(),
    field: line(100).optional(),
    dateFrom: z.iso.date('errorFormat').optional(),
    dateTo: z.iso.date('errorFormat').optional(),
  },
  sorts: ['date'],
  defaultSort: { by: 'date', order: 'desc' },
  cursor: true,
})

export type HistoryInput = z.output<typeof HistoryQuery>

/** A person or an application that acted; `name` is the id of one whose name is gone or hidden. */
export const KnownChanger = z.strictObject({ id: Id, name: z.string() })
export type KnownChanger = z.output<typeof KnownChanger>

export const searchChangers = contract({
  name: 'searchChangers',
  tag: 'history',
  summary: 'Up to 50 people and applications that acted on an object of an area that the caller may read, for a choice',
  access: { area: 'history' },
  method: 'GET',
  path: '/setting/history/changers/search',
  query: z.strictObject({
    entity: z.enum(entityNames, { error: 'errorFormat' }),
    /** The object’s id. */
    id: line(100),
    searchValue: line(100).optional(),
  }),
  response: z.strictObject({ changers: z.array(KnownChanger) }),
})

/** Who did it: a person or an application by name, somebody whose name is gone or hidden by id, or the platform itself. */
export type Changer = { kind: 'person' | 'application' | 'unknown'; name: string } | { kind: 'platform' }

/** One act on an object: what was done at once, by one person, from one address. */
export type Act = {
  /** The id of its newest row. */
  id: string
  type: 'create' | 'update' | 'delete' | 'login'
  date: string
  ip: string | null
  who: Changer
  changes: Change[]
}

export type Change = {
  field: string
  /** The key of the field's name in messages/{ru,en}; null for a field that nothing declares any more. */
  label: string | null
  /** Its own title in the reader's language, of a field that administrators define. */
  title?: string
  /** What a family of fields is told apart by: the rest of the field's name. */
  member?: string
  diff: Diff
}

/** A field by which a history can be filtered: its name, and the key of its text. */
export type KnownField = { name: string; label: string }

/** Names of what values refer to, by id. */
export type Names = Readonly<Record<string, string>>
