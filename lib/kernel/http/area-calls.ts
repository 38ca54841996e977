import { z } from 'zod'
import type { Area } from '../access-methods'
import { many } from '../lists'
import { contract, Done, Id, line } from './contract'

type Named = { name: string; summary: string }
type Writes = Named & {
  notice: string
  /** Codes in addition to those of every such call. */
  errors?: Record<string, number>
  bodyLimit?: number
}
const ById = z.strictObject({ id: Id })

/**
 * In the body of a replacing call: the version that was read. Answers 409 if it has changed since; without it the last
 * save wins.
 */
export const readVersion = { updatedAt: z.iso.datetime({ error: 'errorFormat' }).optional() }

/** A call that deletes an object of a collection by its id. */
export type RemoveCall = ReturnType<ReturnType<typeof areaCalls>['remove']>
/** A call that switches an object of a collection on or off by its id. */
export type EnableCall = ReturnType<ReturnType<typeof areaCalls>['enable']>

/**
 * Returns functions that declare the calls of an administration area on its collection, with the access of the area.
 */
export const areaCalls = (area: Area, path: string) => {
  const common = { tag: area, access: { area } }
  return {
    list: <Q extends z.ZodType, R extends z.ZodType>(call: Named & { query: Q; response: R }) =>
      contract({ ...common, method: 'GET', path, ...call }),
    create: <B extends z.ZodType, R extends z.ZodType>(call: Writes & { body: B; response: R }) =>
      contract({ ...common, method: 'POST', path, ...call }),
    /** Replaces an object as a whole. */
    update: <B extends z.ZodType>({ errors, ...call }: Writes & { body: B }) =>
      contract({
        ...common,
        method: 'PUT',
        path: `${path}/{id}`,
        params: ById,
        response: Done,
        ...call,
        errors: { ...errors, notFound: 404, conflict: 409 },
      }),
    remove: ({ errors, ...call }: Writes) =>
      contract({
        ...common,
        method: 'DELETE',
        path: `${path}/{id}`,
        params: ById,
        response: Done,
        ...call,
        errors: { ...errors, notFound: 404 },
      }),
    /** Switches an object on or off. Its notice takes `enabled`, because one text serves both. */
    enable: ({ errors, ...call }: Writes) =>
      contract({
        ...common,
        method: 'PUT',
        path: `${path}/{id}/enabled`,
        params: ById,
        body: z.strictObject({ enabled: z.boolean({ error: 'errorFormat' }), ...readVersion }),
        response: Done,
        ...call,
        errors: { ...errors, notFound: 404, conflict: 409 },
      }),
    /** Returns up to 50 objects to choose from, by text or by ids, for all areas that offer the choice. */
    search: <R extends z.ZodType>({ areas, ...call }: Named & { areas: readonly Area[]; response: R }) =>
      contract({
        tag: area,
        access: { areas: [area, ...areas] },
        method: 'GET',
        path: `${path}/search`,
        query: z.strictObject({ searchValue: line(100).optional(), ids: many(Id, 100).optional() }),
        ...call,
      }),
  }
}
