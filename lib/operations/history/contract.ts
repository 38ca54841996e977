import { z } from 'zod'
import { contract, Id, line } from '@/lib/base/contracts/contract'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'
import { entityNames } from '@/lib/base/contracts/entity-names.generated'
import { fileAnswer } from '@/lib/base/contracts/file'
import { exportQuery, exportTypes } from '@/lib/base/export/query'
import { CursorMeta, listQuery, many } from '@/lib/base/lists/lists'
import type { Diff } from './diff'

/** A person or an application that changed something; `name` is the id if the name no longer exists or is hidden. */
export const KnownChanger = z.strictObject({ id: Id, name: z.string() })
export type KnownChanger = z.output<typeof KnownChanger>

export const historyTypes = ['create', 'update', 'delete', 'login'] as const

/** The query of an object's history: the newest act first, by cursor. */
export const HistoryQuery = listQuery({
  filters: {
    /** Who changed it: the id of a person or an application, or the platform itself. */
    changer: z.union([z.literal('platform'), Id], { error: 'errorFormat' }).optional(),
    type: z.enum(historyTypes).optional(),
    field: line(100).optional(),
    dateFrom: z.iso.date('errorFormat').optional(),
    dateTo: z.iso.date('errorFormat').optional(),
  },
  sorts: ['date'],
  defaultSort: { by: 'date', order: 'desc' },
  cursor: true,
})

export type HistoryInput = z.output<typeof HistoryQuery>

const wholeHistory = {
  filters: {
    /** Part of the name of an object or of the person who changed it, or the exact id of an object. */
    search: line(200).optional(),
    /** The code of a field, as `field` of the rows. */
    param: line(100).optional(),
    dateFrom: z.iso.date('errorFormat').optional(),
    dateTo: z.iso.date('errorFormat').optional(),
    /** Who changed it: the id of a person or an application, or the platform itself. */
    changer: z.union([z.literal('platform'), Id], { error: 'errorFormat' }).optional(),
    entity: many(z.enum(entityNames, { error: 'errorFormat' })).optional(),
    /** The code of a block of fields. */
    subtype: line(100).optional(),
    ip: z.union([z.ipv4(), z.ipv6()], { error: 'errorFormat' }).optional(),
    type: many(z.enum(historyTypes)).optional(),
  },
  sorts: ['date'] as const,
  defaultSort: { by: 'date', order: 'desc' } as const,
}

/** The query of the whole history: the newest first, by cursor. */
export const WholeHistoryQuery = listQuery({ ...wholeHistory, cursor: true })
export type WholeHistoryInput = z.output<typeof WholeHistoryQuery>

/** One changed field, or an act that changed no field. */
export const HistoryRow = z.strictObject({
  id: z.string(),
  date: z.iso.datetime(),
  type: z.enum(historyTypes),
  entity: z.enum(entityNames),
  entityId: z.string(),
  /** The block of a field of people and contractors. */
  subtype: z.string().nullable(),
  /** Its code, also of a field that administrators define. */
  field: z.string().nullable(),
  /** Values as they were recorded, secrets as `***`. */
  previous: z.unknown(),
  current: z.unknown(),
  /** Whether the value is only its beginning: it has more than 4 000 characters, or 64 000 if it isn't a text. */
  cut: z.boolean(),
  ip: z.string().nullable(),
  /** Null: the platform itself. */
  changer: KnownChanger.nullable(),
  requestId: z.string().nullable(),
})
export type HistoryRow = z.output<typeof HistoryRow>

export const listHistory = contract({
  name: 'listHistory',
  tag: 'history',
  summary: 'What was changed in the areas that the caller may read: a row for each field, the newest first',
  access: { area: 'history' },
  method: 'GET',
  path: '/setting/history',
  query: WholeHistoryQuery,
  response: z.strictObject({ data: z.array(HistoryRow), meta: CursorMeta }),
})

/** The query of an export: the filters of the whole history. */
export const HistoryExportQuery = exportQuery(wholeHistory)

export const exportHistory = contract({
  name: 'exportHistory',
  tag: 'history',
  summary: 'The rows of `listHistory` as a workbook or CSV, in the words of the reader, without pages',
  access: { area: 'history' },
  method: 'GET',
  path: '/setting/history/export',
  query: HistoryExportQuery,
  response: fileAnswer({ types: Object.values(exportTypes) }),
})

/** A place in the history chain: an entry, and the row in it. */
const Place = z
  .string({ error: 'errorCursor' })
  .regex(/^\d{1,15}\.\d{1,4}$/, 'errorCursor')
  .transform((text) => {
    const [seq = 0, position = 0] = text.split('.').map(Number)
    return { seq, position }
  })

/**
 * The query of the stream: after which place it continues, by default from the oldest row, and the largest number of
 * rows.
 */
export const HistoryStreamQuery = z
  .strictObject({
    meta: z
      .strictObject({
        after: Place.optional(),
        limit: z.coerce.number().int().min(1, 'errorFormat').max(1000, 'errorFormat').optional(),
      })
      .optional(),
  })
  .transform(({ meta }) => ({ after: meta?.after ?? { seq: 0, position: 0 }, limit: meta?.limit ?? 500 }))

export const streamHistory = contract({
  name: 'streamHistory',
  tag: 'history',
  summary:
    'The rows of the areas that the caller may read in the order in which they were sealed, about a minute after their commit; `meta[after]` goes on where the last answer ended, and misses none',
  access: { area: 'history' },
  method: 'GET',
  path: '/setting/history/stream',
  query: HistoryStreamQuery,
  response: z.strictObject({
    data: z.array(HistoryRow),
    /** `after` for the next call; `more`: more rows are ready, so the next call needn't wait. */
    meta: z.strictObject({ after: z.string(), more: z.boolean() }),
  }),
})

export const listHistoryTypes = contract({
  name: 'listHistoryTypes',
  tag: 'history',
  summary:
    'By what the history can be filtered: kinds of acts, and the entities that the caller may read with their fields',
  access: { area: 'history' },
  method: 'GET',
  path: '/setting/history/types',
  response: z.strictObject({
    types: z.array(z.enum(historyTypes)),
    entities: z.array(
      z.strictObject({
        entity: z.enum(entityNames),
        fields: z.array(z.string()),
        /** The blocks of its fields. */
        subtypes: z.array(z.strictObject({ code: z.string(), title: z.string() })),
      }),
    ),
  }),
})

export const searchChangers = contract({
  name: 'searchChangers',
  tag: 'history',
  summary: 'Up to 50 people and applications that acted, on one object or at all, for a choice',
  access: { area: 'history' },
  method: 'GET',
  path: '/setting/history/changers/search',
  /** An entity of an area that the caller may read, and the object’s id; without both, everybody who ever acted. */
  query: z
    .strictObject({
      entity: z.enum(entityNames, { error: 'errorFormat' }).optional(),
      id: line(100).optional(),
      searchValue: line(100).optional(),
    })
    .superRefine(({ entity, id }, check) => {
      if ((entity === undefined) !== (id === undefined))
        check.addIssue({ code: 'custom', message: 'errorEmpty', path: [entity === undefined ? 'entity' : 'id'] })
    }),
  response: z.strictObject({ changers: z.array(KnownChanger) }),
})

/**
 * Who changed it: a person or an application by name, a person without a visible name by id, or the platform itself.
 */
export type Changer = { kind: 'person' | 'application' | 'unknown'; name: string } | { kind: 'platform' }

/** One act on an object: changes made at the same time, by one person, from one address. */
export type Act = {
  /** The id of its newest row. */
  id: string
  type: (typeof historyTypes)[number]
  date: string
  ip: string | null
  who: Changer
  changes: Change[]
}

/** An act in the whole history, with its object. */
export type ActOn = Act & {
  /**
   * `name` is null if the object has none or no longer exists; `path` leads to its card, if it has one; `own`: the
   * object is the account of the person who acted.
   */
  object: { entity: EntityName; id: string; name: string | null; path: string | null; own: boolean }
}

export type Change = {
  field: string
  /** The key of the field’s name in messages/{ru,en}; null for a field that is no longer declared. */
  label: string | null
  /** Its own title in the reader's language, of a field that administrators define. */
  title?: string
  /** The rest of the field's name, which tells apart the fields of a family. */
  member?: string
  diff: Diff
}

/**
 * A field by which a history can be filtered: its code, and the key of its text, or its title if administrators define
 * it.
 */
export type KnownField = { name: string; label: string; title?: string }

/** Names of the objects that values refer to, by id. */
export type Names = Readonly<Record<string, string>>
