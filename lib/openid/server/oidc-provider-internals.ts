import Provider, { type Client, type KoaContextWithOIDC } from 'oidc-provider'

// What the platform replaces or reads of oidc-provider although its documentation doesn't promise it.
// tests/unit/project/library-internals.test.ts fails when an upgrade changes the files that have these members.

type ModelName = 'AuthorizationCode' | 'DeviceCode' | 'Interaction' | 'PushedAuthorizationRequest' | 'Session'
type Instance<N extends ModelName> = InstanceType<Provider[N]>
type Save<T> = (this: T, ttl?: number) => Promise<string>

/** A stored code or token. Ours also contain the flows that proved the person, in order. */
export type ProvenRecord = { acr?: string; accountId?: string; proven?: readonly string[] }

type IdToken = { ctx?: KoaContextWithOIDC }
type FoundDeviceCode = Instance<'DeviceCode'> | undefined

/** The replaced members: `.` before one of the class, `#` before one of its instances. */
export type Members = {
  'AuthorizationCode#consume': (this: Instance<'AuthorizationCode'>) => Promise<void>
  'AuthorizationCode#save': Save<ProvenRecord>
  'Client#backchannelLogout': (this: Client, accountId: string, sid: string) => Promise<void>
  'Client#compareClientSecret': (this: Client, candidate: string) => Promise<boolean>
  'Client#grantTypeAllowed': (this: Client, grant: string) => boolean
  'Client#includeSid': (this: Client) => boolean
  'Client#redirectUriAllowed': (this: Client, address: string) => boolean
  'Client#responseTypeAllowed': (this: Client, type: string) => boolean
  'DeviceCode#save': Save<ProvenRecord>
  'DeviceCode.find': (code: string, options?: { ignoreExpiration?: boolean }) => Promise<FoundDeviceCode>
  'DeviceCode.findByUserCode': (code: string, options?: { ignoreExpiration?: boolean }) => Promise<FoundDeviceCode>
  'IdToken#payload': (this: IdToken) => Promise<{ acr?: unknown; amr?: unknown }>
  'IdToken.validate': (token: string, client: Client) => Promise<unknown>
  'Interaction#save': Save<Instance<'Interaction'>>
  'PushedAuthorizationRequest#save': Save<Instance<'PushedAuthorizationRequest'>>
  'RefreshToken#save': Save<ProvenRecord>
  'Session#save': Save<Instance<'Session'>>
  'Session.get': (ctx: object) => Promise<Instance<'Session'>>
}

/**
 * Replaces a member of a provider, and returns the original; `replacement` gets it too. The original of a class member
 * keeps the class as its `this`.
 */
export function replaceMember<N extends keyof Members>(
  provider: Provider,
  name: N,
  replacement: (original: Members[N]) => Members[N],
): Members[N] {
  const [model = '', member = ''] = name.split(/[.#]/)
  const modelClass = (provider as unknown as Record<string, { prototype: object }>)[model]
  const owner = (name.includes('#') ? modelClass?.prototype : modelClass) as Record<string, Members[N]>
  const value = owner[member]
  if (!value) throw new Error(`oidc-provider has no ${name}`)
  const original = name.includes('#') ? value : (value.bind(modelClass as never) as Members[N])
  owner[member] = replacement(original)
  return original
}

/** Stores a further property with the records of a model. */
export function storeProperty(
  provider: Provider,
  model: 'AuthorizationCode' | 'DeviceCode' | 'RefreshToken',
  property: string,
) {
  const names = (provider[model] as unknown as { IN_PAYLOAD: string[] }).IN_PAYLOAD
  Object.defineProperty(provider[model], 'IN_PAYLOAD', { get: () => [...names, property] })
}

/** Returns the context of the running request; undefined outside a request, and without `oidc` before its route. */
export const currentContext = () => Provider.ctx as KoaContextWithOIDC | undefined

/** The members of a session that its type leaves out. */
type SessionState = { new?: boolean; destroyed?: boolean; id: string }

const stateOf = (session: Instance<'Session'>) => session as Instance<'Session'> & SessionState

/** Returns the token that proves that a form of the current page is ours; empty without one. */
export const formToken = ({ session }: KoaContextWithOIDC['oidc']): string =>
  (session?.state as { secret?: string } | undefined)?.secret ?? ''

/** Returns whether a session was never stored; its type says that it always has an end. */
export const isUnstored = ({ exp }: { exp?: number }) => exp === undefined

/** Returns whether the request has ended the session. */
export const isDestroyed = (session: Instance<'Session'>) => stateOf(session).destroyed === true

/** Keeps a session from being stored at the end of the request. */
export const markUntouched = (session: Instance<'Session'>) => void Object.assign(session, { touched: false })

/** Keeps a session from being stored by what the request still does. */
export const markDestroyed = (session: Instance<'Session'>) => void Object.assign(session, { destroyed: true })

/**
 * Gives a session the uid, and the id and clients of the stored session that has this uid, if there is one. A session
 * that isn't new gets another id first, because somebody who planted the earlier one may know it.
 */
export function adoptUid(session: Instance<'Session'>, uid: string, stored: Instance<'Session'> | undefined) {
  const state = stateOf(session)
  if (!state.new) session.resetIdentifier()
  if (stored) state.id = stored.jti
  state.uid = uid
  state.authorizations = stored?.authorizations ?? {}
}

/** Lets an interaction continue in any session of its browser: another person may sign in, which ends the first one. */
export const detachSession = (interaction: { session?: object | undefined }) =>
  void Object.assign(interaction.session ?? {}, { uid: undefined })
