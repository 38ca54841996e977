import { z } from 'zod'
import type { Area } from '../access/access-methods'
import { contract, Done, Id, line } from '../contracts/contract'
import { many } from './lists'

/** Names for the calls of a collection, `list<many>` and `create<one>`, and the first word of their snackbars' keys. */
type Names = { one: string; many: string; snackbar: string }
type Description = { summary: string }
type WriteDescription = Description & {
  /** Codes in addition to those of every such call. */
  errors?: Record<string, number>
  bodyLimit?: number
}
const ById = z.strictObject({ id: Id })
const Created = z.strictObject({ id: Id })

/**
 * A field in the body of a replacing call: the version that was read. The call answers 409 if the object was changed
 * since; without a version the last save wins.
 */
export const readVersion = { updatedAt: z.iso.datetime({ error: 'errorFormat' }).optional() }

/** A call that deletes an object of a collection by its id. */
export type RemoveCall = ReturnType<ReturnType<typeof areaCalls>['remove']>
/** A call that switches an object of a collection on or off by its id. */
export type EnableCall = ReturnType<ReturnType<typeof areaCalls>['enable']>

/**
 * Returns functions that declare the calls of an administration area on its collection, with the access of the area.
 * The name of each call and the key of its snackbar follow from the names: `createBrand`, `brandCreate`.
 */
export const areaCalls = (area: Area, path: string, { one, many: plural, snackbar }: Names) => {
  const common = { tag: area, access: { area } }
  return {
    list: <Q extends z.ZodType, R extends z.ZodType>(call: Description & { query: Q; response: R }) =>
      contract({ ...common, name: `list${plural}`, method: 'GET', path, ...call }),
    /** Returns an object by its id. */
    read: <R extends z.ZodType>(call: Description & { response: R }) =>
      contract({
        ...common,
        name: `read${one}`,
        method: 'GET',
        path: `${path}/{id}`,
        params: ById,
        ...call,
        errors: { notFound: 404 },
      }),
    /** Creates an object. By default it answers with the id. */
    create: <B extends z.ZodType, R extends z.ZodType = typeof Created>({
      response = Created as unknown as R,
      ...call
    }: WriteDescription & { body: B; response?: R }) =>
      contract({
        ...common,
        name: `create${one}`,
        snackbar: `${snackbar}Create`,
        method: 'POST',
        path,
        response,
        ...call,
      }),
    /** Replaces an object as a whole. */
    update: <B extends z.ZodType>({ errors, ...call }: WriteDescription & { body: B }) =>
      contract({
        ...common,
        name: `update${one}`,
        snackbar: `${snackbar}Update`,
        method: 'PUT',
        path: `${path}/{id}`,
        params: ById,
        response: Done,
        ...call,
        errors: { ...errors, notFound: 404, conflict: 409 },
      }),
    remove: ({ errors, ...call }: WriteDescription) =>
      contract({
        ...common,
        name: `delete${one}`,
        snackbar: `${snackbar}Delete`,
        method: 'DELETE',
        path: `${path}/{id}`,
        params: ById,
        response: Done,
        ...call,
        errors: { ...errors, notFound: 404 },
      }),
    /** Switches an object on or off. Its snackbar has the value `enabled`, because one text serves both. */
    enable: ({ errors, ...call }: WriteDescription) =>
      contract({
        ...common,
        name: `enable${one}`,
        snackbar: `${snackbar}Enabled`,
        method: 'PUT',
        path: `${path}/{id}/enabled`,
        params: ById,
        body: z.strictObject({ enabled: z.boolean({ error: 'errorFormat' }), ...readVersion }),
        response: Done,
        ...call,
        errors: { ...errors, notFound: 404, conflict: 409 },
      }),
    /** Returns up to 50 objects to choose from, by text or by ids; people of the other `areas` may make it too. */
    search: <R extends z.ZodType>({ areas, ...call }: Description & { areas: readonly Area[]; response: R }) =>
      contract({
        tag: area,
        name: `search${plural}`,
        access: { areas: [area, ...areas] },
        method: 'GET',
        path: `${path}/search`,
        query: z.strictObject({ searchValue: line(100).optional(), ids: many(Id, 100).optional() }),
        ...call,
      }),
  }
}
