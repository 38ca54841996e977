import type { z } from 'zod'
import type { Ctx } from '@/lib/base/context/ctx'
import { parseOrThrow } from '@/lib/base/http/read'
import { AppError, type FieldError, fieldError } from '@/lib/base/runtime/errors'
import type { DrawnTexts } from '@/lib/documents/documents/drawing'
import type { Note } from './contract'
import type { Configured, Section } from './format'
import type { Current } from './read'

type Named =
  | 'locales'
  | 'deviceTypes'
  | 'networkAliases'
  | 'documents'
  | 'banners'
  | 'domains'
  | 'roles'
  | 'methods'
  | 'applications'

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
  const ids = (names: ReadonlyMap<string, string>) => new Map([...names].map(([id, name]) => [name, id]))
  const { locales, deviceTypes, networkAliases, documents, banners, domains, roles, methods, applications } =
    current.names
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
    ids: {
      ...{ locales: ids(locales), deviceTypes: ids(deviceTypes), networkAliases: ids(networkAliases) },
      ...{ documents: ids(documents), banners: ids(banners), domains: ids(domains), roles: ids(roles) },
      ...{ methods: ids(methods), applications: ids(applications) },
    },
  }
}

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

/**
 * Parses a value by the body schema of an endpoint's contract, as a call does. Throws 400 for a value that doesn't fit.
 */
export const bodyOf = <S extends z.ZodType>({ body }: { body?: S }, value: unknown): z.output<S> => {
  if (!body) throw new TypeError('the call takes no body')
  return parseOrThrow(body, value)
}

/** Writes an object of a section: `before` is null for a new one, `after` for one that is deleted. */
export type Writer<S extends Section> = (
  writing: Writing,
  step: { key: string; before: Configured<S> | null; after: Configured<S> | null; secretLess?: boolean },
) => Promise<void>

/** Whether one of these members differs. */
export const differs = <T extends object>(before: T | null, after: T, names: readonly (keyof T)[]): boolean =>
  before === null || names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))

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
