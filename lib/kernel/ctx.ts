/** The kinds of identifier that people sign in with. */
type IdAttributeName = 'login' | 'email' | 'mobile'

/** The domain that serves a request: whose branding, texts and agreements apply. */
export type CtxDomain = {
  id: string
  base: boolean
  /** Scheme, host and port of its links, from the configuration, never from the request. */
  origin: string
  styleTemplate: string
  imageCode: string
  /** Device type id to the kinds of identifier offered there. */
  devicesIdAttributes: Record<string, IdAttributeName[]>
  /** Codes of its enabled locales, in order. */
  locales: string[]
}

/** Who is signed in, with everything that permission checks need. */
export type CtxUser = {
  id: string
  login: string
  firstName: string
  lastName: string
  /** Codes of the systemic methods held. */
  methods: ReadonlySet<string>
  /** Ids of all methods held, an application's included. */
  methodIds: ReadonlySet<string>
  /** The bootstrap administrator. */
  temporary: boolean
  /** Whether they keep the side menu folded; null where they chose nothing. */
  navMini: boolean | null
  /** Their own page size, likewise. */
  pagination: number | null
}

/** An application that calls by itself, with the bearer token of one of its clients. */
export type CtxService = {
  applicationId: string
  clientId: string
  /** Codes of the systemic methods that its service account holds. */
  methods: ReadonlySet<string>
  /** Ids of all methods that it holds, applications' included. */
  methodIds: ReadonlySet<string>
  /** A command at the server's shell, for which the platform's own application stands. It ships applications. */
  shell?: true
}

export type CookieOptions = { maxAge?: number; httpOnly?: boolean; path?: string }
export type Cookies = {
  get(name: string): string | undefined
  /** Secure, SameSite=Lax, HttpOnly and Path=/ unless told; a `null` value removes the cookie. Only in route handlers. */
  set(name: string, value: string | null, options?: CookieOptions): void
}

/** A session, and how it was made if that is known: by which schema, and the flows that proved it in their order. */
export type CtxSession = { id: string; schema?: string; proven?: readonly string[] }

/** What every service verb gets: who asks, from where, in which words, when. */
export type Ctx = {
  requestId: string
  /** The client's address, or '' for the worker. */
  ip: string
  /** What the address was read from, for requests that the server process took in. */
  connection?: { socket: string; forwardedFor?: string }
  userAgent: string
  domain: CtxDomain
  locale: string
  /** Code of the device type. */
  deviceType: string
  session: CtxSession | null
  user: CtxUser | null
  /** Set for a call of a service account; then there is neither session nor user. */
  service: CtxService | null
  cookies: Cookies
  now: () => Date
}
