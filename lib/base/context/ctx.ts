import type { ListColumns } from '../contracts/list-columns'
import type { TermsRequired } from '../runtime/errors'

/** The kinds of identifier that people sign in with. */
export type IdAttributeName = 'login' | 'email' | 'mobile'

/** The domain that serves a request: its look, texts and agreements apply. */
export type CtxDomain = {
  id: string
  base: boolean
  /** Scheme, host and port of links to it: from the configuration, never from the request. */
  origin: string
  styleTemplate: string
  imageCode: string
  /** The zone of people whose own isn't known, by its IANA name. */
  timeZone: string
  /** The kinds of identifier that it offers, by device type id. */
  devicesIdAttributes: Record<string, IdAttributeName[]>
  /** Codes of its enabled locales, in order. */
  locales: string[]
}

/** Who is signed in, with all that permission checks need. */
export type CtxUser = {
  id: string
  login: string
  firstName: string
  lastName: string
  /** Codes of the systemic methods that the person holds. */
  methods: ReadonlySet<string>
  /** Ids of all methods that the person holds, those of applications included. */
  methodIds: ReadonlySet<string>
  /** In a run: the person or program whose word its values are; it acts with no more than these hold, too. */
  within?: string | null
  /** The bootstrap administrator. */
  temporary: boolean
  /** Whether the person keeps the side menu folded; null when they have not chosen. */
  navMini: boolean | null
  /** Their own page size; null when they have not chosen. */
  pagination: number | null
  /** Which columns of lists they have chosen. */
  columns: ListColumns
  /** The id of their picture; null without one. */
  picture: string | null
}

/** An application that calls with the bearer token of one of its clients. */
export type CtxService = {
  applicationId: string
  clientId: string
  /** Codes of the systemic methods that its service account holds. */
  methods: ReadonlySet<string>
  /** Ids of all methods that it holds, those of applications included. */
  methodIds: ReadonlySet<string>
  /** The token of the call: its record, and until when it is valid. A command has none. */
  token?: { record: string; until: Date }
  /**
   * A command in the server's shell, which acts as the platform's own application. It may change shipped applications.
   */
  shell?: true
}

export type CookieOptions = { maxAge?: number; httpOnly?: boolean; path?: string }
export type Cookies = {
  get(name: string): string | undefined
  /**
   * By default Secure, SameSite=Lax, HttpOnly and Path=/; a `null` value removes the cookie. Only in route handlers.
   */
  set(name: string, value: string | null, options?: CookieOptions): void
}

/** A session, and if known how it was made: the schema, and the flows that proved the person, in order. */
export type CtxSession = { id: string; schema?: string; proven?: readonly string[] }

/** What every verb receives: who asks, from where, in which language and when. */
export type Ctx = {
  requestId: string
  /** The client's address, or '' for the worker. */
  ip: string
  /** What the address was read from, for requests that came through the server process. */
  connection?: { socket: string; forwardedFor?: string }
  userAgent: string
  domain: CtxDomain
  locale: string
  /** The zone in which the reader sees times, by its IANA name. */
  timeZone: string
  /** Code of the device type. */
  deviceType: string
  session: CtxSession | null
  user: CtxUser | null
  /** What the signed-in person must agree to before they go on. */
  terms?: readonly TermsRequired[]
  /** Set for a call of a service account; then there is neither session nor user. */
  service: CtxService | null
  cookies: Cookies
  now: () => Date
}
