import { z } from 'zod'
import type { Ctx } from '@/lib/base/context/ctx'
import type { Endpoint } from '@/lib/base/http/endpoints'
import { parseOrThrow } from '@/lib/base/http/read'
import { AppError, type FieldError, fieldError } from '@/lib/base/runtime/errors'
import type { DrawnTexts } from '@/lib/documents/documents/drawing'
import { drawnElsewhere } from '@/lib/site/pictures/service'
import type { Note } from './contract'
import type { Names } from './names'
import type { Current } from './read'
import type { Configured, Section } from './sections'

type Named = keyof Names

/** What the writers of one import share: the caller, and the ids by the names in the file. */
export type Writing = {
  ctx: Ctx
  current: Current
  ids: Record<Named, Map<string, string>>
  notes: Note[]
  /** The texts of the documents, drawn before the transaction. */
  drawn: DrawnTexts
  /** Registers a method that the import created: a command in the shell holds every method. */
  made: (methodId: string) => void
}

export function writingOf(ctx: Ctx, current: Current, drawn: DrawnTexts): Writing {
  const heldMethods = new Set(ctx.service?.methodIds)
  const shell = ctx.service?.shell === true
  // objects that are created within a millisecond need different times: these give their order, and tell apart those of
  // one name
  let lastTime = 0
  const now = () => {
    lastTime = Math.max(ctx.now().getTime(), lastTime + 1)
    return new Date(lastTime)
  }
  return {
    ctx: { ...ctx, now, ...(ctx.service && shell ? { service: { ...ctx.service, methodIds: heldMethods } } : {}) },
    made: (methodId) => void heldMethods.add(methodId),
    current,
    notes: [],
    drawn,
    ids: Object.fromEntries(
      Object.entries(current.names).map(([kind, names]) => [kind, idsByName(names)]),
    ) as Writing['ids'],
  }
}

export const idsByName = (names: ReadonlyMap<string, string>) => new Map([...names].map(([id, name]) => [name, id]))

/** Returns the id of a name. Throws 400 at this field for an unknown name. */
export function idOf({ ids }: Writing, kind: Named, name: string, field: string): string {
  const id = ids[kind].get(name)
  if (!id) throw fieldError(field, 'errorConfigurationReference', { name })
  return id
}
export const idsOf = (writing: Writing, kind: Named, names: readonly string[], field: string): string[] =>
  names.map((name, index) => idOf(writing, kind, name, `${field}.${index}`))

/** Returns the id of a stored object. Throws if it isn't stored. */
export function storedId({ current }: Writing, section: Section, key: string): string {
  const stored = current.stored[section].get(key)
  if (!stored) throw new Error(`${section}[${key}] isn't stored`)
  return stored.id
}

type Body<S> = { body?: S }

/** The names of the members that a contract takes. */
function taken({ body }: Body<z.ZodType>): string[] {
  if (!(body instanceof z.ZodObject)) throw new TypeError('the call takes no members')
  return Object.keys(body.shape)
}

/**
 * Parses those members of a value that a contract takes by its body schema, as a call does. Throws 400 for a value that
 * doesn't fit.
 */
export const bodyOf = <S extends z.ZodType>(contract: Body<S>, value: object): z.output<S> => {
  const names = taken(contract)
  const members = Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))
  return parseOrThrow(contract.body as S, members)
}

/** Returns a picture of a file as it is stored; null for none. */
export const pictureOf = async (picture: Configured<'domains'>['logo']) =>
  picture && drawnElsewhere({ type: picture.type, content: Buffer.from(picture.data, 'base64') })

/** Writes an object of a section: `before` is null for a new one, `after` for one that is deleted. */
export type Writer<S extends Section> = (writing: Writing, step: WrittenStep<S>) => Promise<unknown>
/** The writers of each section: each writes all objects before the next one begins. */
export type Writers = { [S in Section]: Writer<S>[] }
type WrittenStep<S extends Section> = {
  key: string
  before: Configured<S> | null
  after: Configured<S> | null
  secretLess?: boolean
}

/** Whether one of these members differs. */
export const differs = <T extends object>(before: T | null, after: T, names: readonly (keyof T)[]): boolean =>
  before === null || names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))

/** Whether a member differs that a contract takes under the same name, or one of `others`. */
export const changes = <T extends object>(
  contract: Body<z.ZodType>,
  before: T,
  after: T,
  ...others: readonly (keyof T)[]
): boolean => differs(before, after, [...(taken(contract) as (keyof T)[]), ...others])

/**
 * Returns the writer of a section whose members are those of the calls of its screen: one that creates, one that
 * deletes, and between them those that change some members. `withIds` returns an object with the ids of what it names.
 * The writer returns the id of the object. Throws for a call that the screen doesn’t have.
 */
export function writerOf<S extends Section>(
  section: S,
  screen: ReadonlyMap<string, Endpoint>,
  calls: readonly [create: string, ...change: string[], remove: string],
  withIds = (_: Writing, object: Configured<S>): object => object,
) {
  const endpoints = calls.map((call) => {
    const endpoint = screen.get(call)
    if (!endpoint) throw new TypeError(`${call} isn’t a call of this screen`)
    return endpoint
  })
  const [create, remove] = [endpoints[0] as Endpoint, endpoints.at(-1) as Endpoint]
  return async (writing: Writing, { key, before, after }: WrittenStep<S>): Promise<string> => {
    const { ctx, ids } = writing
    const params = { id: before ? storedId(writing, section, key) : '' }
    if (!after) {
      await remove.serve(ctx, { params } as never)
      return params.id
    }
    const object = withIds(writing, after)
    if (!before) {
      const { id } = (await create.serve(ctx, { body: bodyOf(create.contract, object) } as never)) as { id: string }
      ids[section as Named]?.set(key, id)
      return id
    }
    for (const { contract, serve } of endpoints.slice(1, -1))
      if (changes(contract, before, after)) await serve(ctx, { params, body: bodyOf(contract, object) } as never)
    return params.id
  }
}

/** Runs the write of one object, and names the object in every error. Throws 403, 503 or 400. */
export async function atObject<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { errorList = [], uniqueErrors = [] } = error.data
    const faults = [...errorList, ...uniqueErrors].map(
      ({ field, ...fault }): FieldError => ({ field: field.startsWith(place) ? field : `${place}.${field}`, ...fault }),
    )
    const objectFaults = faults.length > 0 ? faults : [{ field: place, code: error.code }]
    if (error.status === 403) throw new AppError(403, 'forbiddenConfiguration', { errorList: objectFaults })
    if (error.status === 503) throw error
    throw new AppError(400, 'configurationRefused', { errorList: objectFaults })
  }
}
