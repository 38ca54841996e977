import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@/lib/base/runtime/errors'
import { callProvider } from './provider-calls'

/**
 * What a source says of one thing: its texts, none for an empty value, null for one that can't be read. What isn't sent is
 * no member of where this stands (docs/rules/providers.md#absent-empty-and-broken).
 */
export type Told = readonly string[] | null

/** A person as a directory tells of them. Texts are as they came; the account's rules check them later. */
export type DirectoryPerson = {
  externalId: string
  enabled: boolean
  /** What the directory has of everybody, by the names of `sourcesOf`. */
  fields: Readonly<Record<string, Told>>
  /** What its administrators added; null if all of it can't be read. */
  attributes: Readonly<Record<string, Told>> | null
  /** Null if they can't be read. */
  roles: readonly string[] | null
  /** The sources whose contact the directory has proven. */
  proven: readonly string[]
}

/** `unread` counts people who can't be told from others: they have no id, or are no person at all. */
export type DirectoryPage = { people: DirectoryPerson[]; unread: number; next: string | null }

/** PostgreSQL holds no text with this character. */
const isStorable = (text: string) => !text.includes('\0')

/** Reads a value of a source: a text, a number, yes or no, or a list of these. */
export function toldOf(value: unknown): Told {
  const texts: string[] = []
  for (const one of Array.isArray(value) ? value : [value]) {
    if (one === null || one === undefined || one === '') continue
    if (!['string', 'number', 'boolean'].includes(typeof one)) return null
    if (!isStorable(String(one))) return null
    texts.push(String(one))
  }
  return texts
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** How deep a path into an object may lead, and how many values of one person are read. */
const deepest = 5
const mostValues = 2_000

/**
 * Reads what a source says of somebody under each name, and in objects by path, such as `address.country`; a name that has
 * the dots itself goes before. Null if it is no object.
 */
export function toldOfEach(given: unknown): Record<string, Told> | null {
  if (!isObject(given)) return null
  const told = new Map<string, Told>()
  let level: [string, unknown][] = Object.entries(given)
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    for (const [path, value] of level) if (!told.has(path) && told.size < mostValues) told.set(path, toldOf(value))
    level = level.flatMap(([path, value]) =>
      isObject(value) ? Object.entries(value).map(([name, one]): [string, unknown] => [`${path}.${name}`, one]) : [],
    )
  }
  return Object.fromEntries(told)
}

/** A directory that people can be read from. Each function throws what `failed` makes. */
export type Directory = {
  /** Signs in and reads one person. Returns how many there are, where the directory tells. */
  check(): Promise<number | null>
  /** Reads a page; `roles` asks for the roles of each person too. */
  page(cursor: string | null, limit: number, wanted: { roles: boolean }): Promise<DirectoryPage>
  /** Returns whether it has this person, and hasn't disabled them. */
  isThere(externalId: string): Promise<boolean>
}

export type Connection = { id: string | null; url: string; realm: string; clientId: string; clientSecret: string }

/** The longest wait for one answer, and the largest page. */
const longest = 20_000
const largest = 16 * 1024 * 1024

const failures = {
  /** No answer, or one that is no answer of such a directory. */
  connection: { code: 'providerConnection', status: 'connectionError' },
  /** The client or its secret is wrong. */
  secret: { code: 'providerSecret', status: 'accessError' },
  /** The client may not read people. */
  access: { code: 'providerAccess', status: 'accessError' },
} as const

/** Returns the error of a directory, with the rights that its client lacks (docs/rules/providers.md#check). */
export function failed(kind: keyof typeof failures, requiredRights: readonly string[] = []): AppError {
  const { code, status } = failures[kind]
  return new AppError(400, code, { providerError: { status, requiredRights: [...requiredRights] } })
}

export const isDirectoryFailure = (error: unknown): error is AppError =>
  error instanceof AppError && error.data.providerError !== undefined

type Answer = { status: number; json: unknown }
type Asked = { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: URLSearchParams }

/**
 * Calls a directory and reads its JSON. The call is kept without its query and bodies. Throws `failed('connection')` if
 * no answer comes in time, and for an answer that is too large or no JSON.
 */
async function ask(of: Connection, path: string, { method = 'GET', headers, body }: Asked = {}): Promise<Answer> {
  try {
    return await callProvider(
      of.id,
      `${of.url}${path}`,
      { method, headers: { accept: 'application/json', ...headers }, ...(body ? { body } : {}) },
      {
        ...{ longest, largest },
        read: ({ ok, status }, text) => ({ status, json: ok ? (JSON.parse(text) as unknown) : null }),
      },
    )
  } catch {
    throw failed('connection')
  }
}

/** Seconds before its end at which a token counts as over. */
const early = 10

/**
 * Returns a function that gives a token by client_credentials, the same until shortly before its end. The end is counted
 * from when it came, so a directory with another clock does no harm. Throws `failed('secret')` and `failed('connection')`.
 */
export function tokens(of: Connection, path: string): (fresh?: boolean) => Promise<string> {
  let held: { token: string; until: number } | null = null
  return async (fresh = false) => {
    if (held && !fresh && performance.now() < held.until) return held.token
    const body = new URLSearchParams({ grant_type: 'client_credentials' })
    const pair = [of.clientId, of.clientSecret].map(encodeURIComponent).join(':')
    const headers = { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
    const { status, json } = await ask(of, path, { method: 'POST', headers, body })
    if (status === 400 || status === 401 || status === 403) throw failed('secret')
    const { access_token: token, expires_in: seconds } = (json ?? {}) as {
      access_token?: unknown
      expires_in?: unknown
    }
    if (typeof token !== 'string' || token === '') throw failed('connection')
    const alive = typeof seconds === 'number' && seconds > 0 ? seconds : 60
    held = { token, until: performance.now() + Math.max(1, alive - early) * 1_000 }
    return token
  }
}

/** How often a page is asked for while the directory has too much to do, and the first wait in milliseconds. */
const tries = { most: 3, wait: 500 }

/**
 * Returns a function that GETs with a token, null for 404. A token that ended early is replaced once; an overload is
 * waited for. Throws
 * `failed('access')` with the rights that the call needs for 401 and 403, `failed('connection')` for everything else.
 */
export const reader =
  (of: Connection, token: (fresh?: boolean) => Promise<string>, rights: readonly string[]) =>
  async (path: string): Promise<unknown> => {
    for (let again = 0, fresh = false; ; again++) {
      const { status, json } = await ask(of, path, { headers: { authorization: `Bearer ${await token(fresh)}` } })
      if (status === 200) return json
      if (status === 404) return null
      if (status === 401 && !fresh) fresh = true
      else if (status === 401 || status === 403) throw failed('access', rights)
      else if ((status === 429 || status >= 500) && again + 1 < tries.most) await wait(tries.wait * 2 ** again)
      else throw failed('connection')
    }
  }
