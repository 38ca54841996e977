import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@/lib/base/runtime/errors'
import { callProvider } from './provider-calls'

/**
 * A value that a source sends: its texts, none for an empty value, null for an unreadable one. A value that isn't sent
 * has no member in its object (docs/rules/providers.md#absent-empty-and-broken).
 */
export type SourceValue = readonly string[] | null

/** A person as a directory sends them. Texts are unchanged; the rules of accounts check them later. */
export type DirectoryPerson = {
  externalId: string
  enabled: boolean
  /** The fields that the directory has for every person, by the names of `sourcesOf`. */
  fields: Readonly<Record<string, SourceValue>>
  /** Attributes that administrators of the directory added; null if they can't be read. */
  attributes: Readonly<Record<string, SourceValue>> | null
  /** Null if they can't be read. */
  roles: readonly string[] | null
  /** The sources whose contact the directory has proven. */
  proven: readonly string[]
}

/** `unread` counts entries that can't be identified: they have no id, or aren't people. */
export type DirectoryPage = { people: DirectoryPerson[]; unread: number; next: string | null }

/** PostgreSQL stores no text with this character. */
const isStorable = (text: string) => !text.includes('\0')

/** Reads a value of a source: a text, a number, a boolean, or a list of these. */
export function sourceValueOf(value: unknown): SourceValue {
  const texts: string[] = []
  for (const item of Array.isArray(value) ? value : [value]) {
    if (item === null || item === undefined || item === '') continue
    if (!['string', 'number', 'boolean'].includes(typeof item)) return null
    if (!isStorable(String(item))) return null
    texts.push(String(item))
  }
  return texts
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The greatest depth of a path into an object, and the most values that are read of one person. */
const deepest = 5
const mostValues = 2_000

/**
 * Reads the values of a source by name, and values in objects by path, such as `address.country`; a name that itself
 * has the dots wins. Returns null if the source is no object.
 */
export function sourceValuesOf(source: unknown): Record<string, SourceValue> | null {
  if (!isObject(source)) return null
  const values = new Map<string, SourceValue>()
  let level: [string, unknown][] = Object.entries(source)
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    for (const [path, value] of level)
      if (!values.has(path) && values.size < mostValues) values.set(path, sourceValueOf(value))
    level = level.flatMap(([path, value]) =>
      isObject(value)
        ? Object.entries(value).map(([name, inner]): [string, unknown] => [`${path}.${name}`, inner])
        : [],
    )
  }
  return Object.fromEntries(values)
}

/** A directory that people can be read from. Each function throws errors of `directoryError`. */
export type Directory = {
  /** Signs in and reads one person. Returns the number of people; null if the directory doesn't count them. */
  check(): Promise<number | null>
  /** Reads a page, with `roles` also the roles of each person. */
  page(cursor: string | null, limit: number, options: { roles: boolean }): Promise<DirectoryPage>
  /** Returns whether the directory has this person, enabled. */
  isThere(externalId: string): Promise<boolean>
}

export type Connection = { id: string | null; url: string; realm: string; clientId: string; clientSecret: string }

/** The timeout of an answer, and its largest size. */
const longest = 20_000
const largest = 16 * 1024 * 1024

const failures = {
  /** There is no answer, or it isn't an answer of such a directory. */
  connection: { code: 'providerConnection', status: 'connectionError' },
  /** The client or its secret is wrong. */
  secret: { code: 'providerSecret', status: 'accessError' },
  /** The client may not read people. */
  access: { code: 'providerAccess', status: 'accessError' },
} as const

/** Returns the error of a failed request, with the rights that the client lacks (docs/rules/providers.md#check). */
export function directoryError(kind: keyof typeof failures, requiredRights: readonly string[] = []): AppError {
  const { code, status } = failures[kind]
  return new AppError(400, code, { providerError: { status, requiredRights: [...requiredRights] } })
}

export const isDirectoryFailure = (error: unknown): error is AppError =>
  error instanceof AppError && error.data.providerError !== undefined

type Answer = { status: number; json: unknown }
type RequestOptions = { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: URLSearchParams }

/**
 * Calls a directory and reads its JSON. The call is recorded without its query and bodies. Throws
 * `directoryError('connection')` after the timeout, and for an answer that is too large or no JSON.
 */
async function ask(
  connection: Connection,
  path: string,
  { method = 'GET', headers, body }: RequestOptions = {},
): Promise<Answer> {
  try {
    return await callProvider(
      connection.id,
      `${connection.url}${path}`,
      { method, headers: { accept: 'application/json', ...headers }, ...(body ? { body } : {}) },
      {
        ...{ longest, largest },
        read: ({ ok, status }, text) => ({ status, json: ok ? (JSON.parse(text) as unknown) : null }),
      },
    )
  } catch {
    throw directoryError('connection')
  }
}

/** Seconds before its end at which a token counts as expired. */
const expiryMargin = 10

/**
 * Returns a function that gets a token by client_credentials and caches it until shortly before its end. The end is
 * counted from the arrival of the token, so the clock of the directory doesn't matter. The function throws
 * `directoryError('secret')` and `directoryError('connection')`.
 */
export function tokens(connection: Connection, path: string): (fresh?: boolean) => Promise<string> {
  let cached: { token: string; until: number } | null = null
  return async (fresh = false) => {
    if (cached && !fresh && performance.now() < cached.until) return cached.token
    const body = new URLSearchParams({ grant_type: 'client_credentials' })
    const pair = [connection.clientId, connection.clientSecret].map(encodeURIComponent).join(':')
    const headers = { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    const { status, json } = await ask(connection, path, { method: 'POST', headers, body })
    if (status === 400 || status === 401 || status === 403) throw directoryError('secret')
    const { access_token: token, expires_in: seconds } = (json ?? {}) as {
      access_token?: unknown
      expires_in?: unknown
    }
    if (typeof token !== 'string' || token === '') throw directoryError('connection')
    const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : 60
    cached = { token, until: performance.now() + Math.max(1, lifetime - expiryMargin) * 1_000 }
    return token
  }
}

/** How often a request is sent to an overloaded directory, and the first wait in milliseconds. */
const tries = { most: 3, wait: 500 }

/**
 * Returns a function that GETs with a token and returns the JSON, null for 404. It replaces a token once after 401, and
 * waits before it repeats a request to an overloaded directory. The function throws `directoryError('access')` with the
 * needed rights for 401 and 403, and `directoryError('connection')` for everything else.
 */
export const reader =
  (connection: Connection, token: (fresh?: boolean) => Promise<string>, rights: readonly string[]) =>
  async (path: string): Promise<unknown> => {
    for (let attempt = 0, fresh = false; ; attempt++) {
      const { status, json } = await ask(connection, path, {
        headers: { authorization: `Bearer ${await token(fresh)}` },
      })
      if (status === 200) return json
      if (status === 404) return null
      if (status === 401 && !fresh) fresh = true
      else if (status === 401 || status === 403) throw directoryError('access', rights)
      else if ((status === 429 || status >= 500) && attempt + 1 < tries.most) await wait(tries.wait * 2 ** attempt)
      else throw directoryError('connection')
    }
  }
