import type { ListColumns } from '../contracts/list-columns'
import type { TermsRequired } from '../runtime/errors'

/** The kinds of identifier that people sign in with. */
export type IdAttributeName = 'login' | 'email' | 'mobile'

/** The domain that serves a request, whose look, texts and agreements apply. */
export type CtxDomain = {
  id: string
  base: boolean
  /** Scheme, host and port of links to the domain: from the configuration, never from the request. */
  origin: string
  styleTemplate: string
  imageCode: string
  /** The IANA name of the time zone for people whose own zone isn't known. */
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
  /** In a batch job: the person or program that supplied its values. The job acts only with methods that both hold. */
  within?: string | null
  /** The bootstrap administrator. */
  temporary: boolean
  /** Whether the person has folded the side menu; null when they have not chosen. */
  navMini: boolean | null
  /** Their own page size; null when they have not chosen. */
  pagination: number | null
  /** The columns of lists that they have chosen. */
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
  /** The token of the call: the id of its record, and the end of its validity. A command has none. */
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

/** A session, and if known how it began: the authentication schema, and the flows that proved the person, in order. */
export type CtxSession = { id: string; schema?: string; proven?: readonly string[]; passkey?: string }

/** The context of every service function: who calls, from where, in which language and when. */
export type Ctx = {
  requestId: string
  /** The client's address, or '' for the worker. */
  ip: string
  /** The values that the address was read from, for requests that came through the server process. */
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
  /** The agreements that the signed-in person must accept before their other calls. */
  terms?: readonly TermsRequired[]
  /** Set for a call of a service account; then there is neither session nor user. */
  service: CtxService | null
  cookies: Cookies
  now: () => Date
}
