import { randomUUID } from 'node:crypto'
import { asc, eq, gt, max } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { PUT as putEntry } from '@/app/api/v1/platform/password/entry/[id]/route'
import { PUT as enableBlacklist } from '@/app/api/v1/platform/setting/blacklist/[id]/enabled/route'
import { DELETE as dropType, PUT as putType } from '@/app/api/v1/platform/setting/devices-types/[id]/route'
import { POST as postType } from '@/app/api/v1/platform/setting/devices-types/route'
import { DELETE as dropAlias, PUT as putAlias } from '@/app/api/v1/platform/setting/network-aliases/[id]/route'
import { POST as postAlias } from '@/app/api/v1/platform/setting/network-aliases/route'
import { PUT as enableWhitelist } from '@/app/api/v1/platform/setting/whitelist/[id]/enabled/route'
import { DELETE as withdraw } from '@/app/api/v1/platform/user/applications/[applicationId]/route'
import { DELETE as endOne } from '@/app/api/v1/platform/user/sessions/[sessionId]/route'
import { DELETE as endAll } from '@/app/api/v1/platform/user/sessions/route'
import { db } from '@/db/client'
import {
  accessListEntries,
  history,
  messages,
  oidcClients,
  oidcConsents,
  outboxDeliveries,
  outboxEvents,
  sessions,
  settings,
} from '@/db/schema'
import { contracts } from '@/lib/context/contracts'
import { createInvitation, resendInvitation, revokeInvitation } from '@/lib/entry/invitations/manage'
import { systemicMethods } from '@/lib/kernel/access-methods'
import type { Ctx } from '@/lib/kernel/ctx'
import * as clients from '@/lib/oidc/clients/service'
import { giveConsent } from '@/lib/oidc/consents/service'
import { retryEvent, skipEvent } from '@/lib/operations/events/service'
import { setUserEnabled } from '@/lib/people/users/enable'
import { openAccess } from '@/lib/platform/access-lists/open'
import { createApplication, setApplicationEnabled } from '@/lib/platform/applications/service'
import { retryMessage } from '@/lib/platform/sender/dead-letters'
import { signedInWith } from '../factories/access'
import { Browser } from '../factories/browser'
import { createContractor, createContractorRole, newEmail } from '../factories/companies'
import { createContext } from '../factories/context'
import { formOf, prove, refuse, say } from '../factories/invitation-calls'
import { contextOf, createMaster, invite } from '../factories/invitations'
import { eventsSince, newestEvent } from '../factories/recorded-events'
import { recoveryLink, setByLink } from '../factories/recovery'
import { finish, newPassword, proveMobileOf, startRegistration } from '../factories/registration'
import { holdMethods } from '../factories/service-accounts'
import { begin, prove as signIn, signInByPassword } from '../factories/sign-in'
import { createUser, password } from '../factories/users'
import { useTestDatabase } from '../setup/database'

useTestDatabase()

/** Makes what the change needs; what it gives makes the change. */
type Case = { makes: string[]; prepare: () => Promise<() => Promise<unknown>> }

let admin: Browser
let ctx: Ctx
beforeAll(async () => {
  admin = (await signedInWith(['access-lists.write', 'device-types.write', 'network-aliases.write'])).browser
  ctx = await createContext({ methods: [...systemicMethods] })
})

const signedIn = async () => {
  const [user, browser] = [await createUser(), new Browser()]
  await signInByPassword(browser, user.login, password)
  return { user, browser }
}
const ok = (answer: { status: number; body: unknown }) => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as Record<string, string>
}
const alias = (name = randomUUID()) => ({ name, ips: [{ ip: '10.0.0.0/8', comment: '' }], comment: '' })
const newAlias = async () => ok(await admin.send(postAlias, 'POST', { body: alias() }))
const newType = async () => ok(await admin.send(postType, 'POST', { body: { name: randomUUID() } }))
const newApplication = () =>
  createApplication(ctx, {
    type: 'external',
    name: randomUUID(),
    nameEn: '',
    description: '',
    url: 'https://app.example/',
    menuVisible: false,
    parentId: null,
  })
const clientInput = () => ({
  name: 'Client',
  applicationType: 'web' as const,
  redirectUris: ['https://app.example/callback'],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  grantTypes: ['authorization_code' as const],
  accessTokenLifespan: null,
  refreshTokenLifespan: null,
  idTokenAlg: 'RS256' as const,
})
const createClient = async (applicationId: string) => {
  const clientId = randomUUID()
  const proof = { authMethod: 'client_secret_basic' as const, pkceRequired: true }
  const { secret } = await clients.createClient(ctx, { ...clientInput(), ...proof, clientId, applicationId })
  return { clientId, secret }
}
const newClient = async () => createClient((await newApplication()).id)
const consented = async () => {
  const [{ user, browser }, application] = [await signedIn(), await newApplication()]
  const { clientId } = await createClient(application.id)
  const [client] = await db().select().from(oidcClients).where(eq(oidcClients.clientId, clientId))
  await db()
    .insert(oidcConsents)
    .values({ userId: user.id, clientId: client?.id ?? '', scopes: ['openid'] })
  return { browser, applicationId: application.id }
}
const forClient = (change: (clientId: string) => Promise<unknown>): Case => ({
  makes: ['update oidcClients'],
  prepare: async () => {
    const { clientId } = await newClient()
    return () => change(clientId)
  },
})

/** Each call that changes what the history keeps, by the name of its contract. */
const calls: Record<string, Case> = {
  authLogin: {
    makes: ['login users'],
    prepare: async () => {
      const [user, browser] = [await createUser(), new Browser()]
      await begin(browser, user.login)
      return async () => ok(await signIn(browser, user.login, { password }))
    },
  },
  setEntryPassword: {
    makes: ['login users', 'update users'],
    prepare: async () => {
      const [user, browser] = [await createUser({ passwordChangeRequired: true }), new Browser()]
      const { setPassword: id } = ok(await signInByPassword(browser, user.login, password))
      const body = { password: newPassword, repeatPassword: newPassword }
      return async () => ok(await browser.send(putEntry, 'PUT', { params: { id: id ?? '' }, body }))
    },
  },
  setPassword: {
    makes: ['update users'],
    prepare: async () => {
      const [user, browser] = [await createUser(), new Browser()]
      const id = await recoveryLink(browser, user)
      return async () => ok(await setByLink(browser, id, newPassword))
    },
  },
  registrationComplete: {
    makes: ['create users', 'login users'],
    prepare: async () => {
      const browser = new Browser()
      const { secret } = await startRegistration(browser)
      const mobile = await proveMobileOf(browser, secret)
      return async () => ok(await finish(browser, secret, { mobile }))
    },
  },
  invitationAccept: {
    makes: ['create users', 'login users', 'update invitations', 'update users'],
    prepare: async () => {
      const [invited, browser] = [await invite(), new Browser()]
      const mobile = await prove(browser, invited.guid)
      return async () => ok(await say(browser, formOf(invited, { mobile })))
    },
  },
  invitationDecline: {
    makes: ['update invitations'],
    prepare: async () => {
      const { guid } = await invite()
      return async () => ok(await refuse(new Browser(), guid))
    },
  },
  endSession: {
    makes: ['delete sessions'],
    prepare: async () => {
      const { user, browser } = await signedIn()
      await signInByPassword(new Browser(), user.login, password)
      const [, other] = await db()
        .select()
        .from(sessions)
        .where(eq(sessions.userId, user.id))
        .orderBy(sessions.createdAt)
      return async () => ok(await browser.send(endOne, 'DELETE', { params: { sessionId: other?.id ?? '' } }))
    },
  },
  endSessions: {
    makes: ['delete sessions'],
    prepare: async () => {
      const { browser } = await signedIn()
      return async () => ok(await browser.send(endAll, 'DELETE'))
    },
  },
  withdrawUserApplication: {
    makes: ['delete consents'],
    prepare: async () => {
      const { browser, applicationId } = await consented()
      return async () => ok(await browser.send(withdraw, 'DELETE', { params: { applicationId } }))
    },
  },
  createDeviceType: {
    makes: ['create device-types'],
    prepare: async () => newType,
  },
  updateDeviceType: {
    makes: ['update device-types'],
    prepare: async () => {
      const { id = '', code } = await newType()
      const body = { name: 'Другой', nameEn: '', code }
      return async () => ok(await admin.send(putType, 'PUT', { params: { id }, body }))
    },
  },
  deleteDeviceType: {
    makes: ['delete device-types'],
    prepare: async () => {
      const { id = '' } = await newType()
      return async () => ok(await admin.send(dropType, 'DELETE', { params: { id } }))
    },
  },
  createNetworkAlias: {
    makes: ['create network-aliases'],
    prepare: async () => newAlias,
  },
  updateNetworkAlias: {
    makes: ['update network-aliases'],
    prepare: async () => {
      const { id = '' } = await newAlias()
      return async () => ok(await admin.send(putAlias, 'PUT', { params: { id }, body: alias() }))
    },
  },
  deleteNetworkAlias: {
    makes: ['delete network-aliases'],
    prepare: async () => {
      const { id = '' } = await newAlias()
      return async () => ok(await admin.send(dropAlias, 'DELETE', { params: { id } }))
    },
  },
}

const forDeadEvent = (change: (id: string) => Promise<unknown>): Case => ({
  makes: ['update events'],
  prepare: async () => {
    const object = { entity: 'things', entityId: randomUUID() }
    const happened = { ...object, topic: 'things', payload: {}, requestId: '', date: new Date() }
    const [event] = await db().insert(outboxEvents).values(happened).returning()
    const [row] = await db()
      .insert(outboxDeliveries)
      .values({ ...object, eventId: event?.id ?? 0, handler: 'nobody', state: 'dead' })
      .returning()
    return () => change(row?.id ?? '')
  },
})
const forEntry = (list: 'whitelist' | 'blacklist', route: typeof enableWhitelist): Case => ({
  makes: ['update access-lists'],
  prepare: async () => {
    const [row] = await db()
      .insert(accessListEntries)
      .values({ list, ip: '198.51.100.0/24', enabled: false })
      .returning()
    const body = { enabled: true, updatedAt: row?.updatedAt.toISOString() }
    return async () => ok(await admin.send(route, 'PUT', { params: { id: row?.id ?? '' }, body }))
  },
})
calls.enableWhitelistEntry = forEntry('whitelist', enableWhitelist)
calls.enableBlacklistEntry = forEntry('blacklist', enableBlacklist)
calls.retryEvent = forDeadEvent((id) => retryEvent(ctx, { params: { id } }))
calls.skipEvent = forDeadEvent((id) => skipEvent(ctx, { params: { id } }))

/** Calls that record nothing, each with the reason. */
const unrecorded: Record<string, string> = {
  authCode: 'sends a code; whoever enters it is recorded as a login',
  authLogout: 'the session tells itself when and why it ended',
  passwordLink: 'sends a link; the password that is set by it is recorded',
  registrationLink: 'sends a link; nothing is kept of somebody who has no account',
  registrationCode: 'sends a code of a registration that isn’t finished',
  registrationVerify: 'proves a mobile, which is recorded with the account',
  invitationCode: 'sends a code to somebody who has no account',
  invitationVerify: 'proves a mobile, which is recorded with the account',
  patchUserSettings: 'how pages look to the person who chose it',
  reportDevice: 'how large the screen behind a session is',
}

test('every call that writes has a case here, or a reason to record nothing', () => {
  const writes = contracts.filter(({ method }) => method !== 'GET').map(({ name }) => name)
  expect([...Object.keys(calls), ...Object.keys(unrecorded)].toSorted()).toEqual(writes.toSorted())
})

/** Verbs of commands, jobs and calls to come. */
const verbs: Record<string, Case> = {
  setUserEnabled: {
    makes: ['update users'],
    prepare: async () => {
      const { id: userId } = await createUser()
      return () => setUserEnabled(ctx, { userId, enabled: false })
    },
  },
  createApplication: { makes: ['create applications'], prepare: async () => newApplication },
  setApplicationEnabled: {
    makes: ['update applications'],
    prepare: async () => {
      const { id } = await newApplication()
      return () => setApplicationEnabled(ctx, { id, enabled: false })
    },
  },
  updateServiceMethods: {
    makes: ['update applications'],
    prepare: async () => {
      const { id } = await newApplication()
      return () => holdMethods(id, ['users.read'])
    },
  },
  createClient: {
    makes: ['create oidcClients'],
    prepare: async () => {
      const { id } = await newApplication()
      return () => createClient(id)
    },
  },
  updateClient: forClient((clientId) =>
    clients.updateClient(ctx, { ...clientInput(), clientId, name: 'Other', updatedAt: undefined }),
  ),
  rotateClientSecret: forClient((clientId) => clients.rotateClientSecret(ctx, { clientId, overlap: 60 })),
  updateClientAuthMethod: forClient((clientId) =>
    clients.updateClientAuthMethod(ctx, { clientId, authMethod: 'none' }),
  ),
  updateClientKeys: forClient((clientId) =>
    clients.updateClientKeys(ctx, { clientId, jwksUri: 'https://app.example/keys.json' }),
  ),
  updateClientPkce: forClient((clientId) => clients.updateClientPkce(ctx, { clientId, required: false })),
  enableClient: forClient((clientId) => clients.enableClient(ctx, { clientId, enabled: false })),
  readClientSecret: forClient((clientId) => clients.readClientSecret(ctx, { clientId })),
  giveConsent: {
    makes: ['create consents'],
    prepare: async () => {
      const [{ browser }, { clientId }] = [await signedIn(), await newClient()]
      const own = await contextOf(browser)
      return () => giveConsent(own, { clientId, scopes: ['openid', 'email'] })
    },
  },
  createInvitation: {
    makes: ['create invitations'],
    prepare: async () => {
      const company = await createContractor()
      const [master, role] = [await createMaster(company), await createContractorRole()]
      const access = [{ organizationId: company.organization.id, roles: [role.id] }]
      const wanted = { email: newEmail(), contractorId: company.contractor.id, access }
      return () => createInvitation(master.ctx, wanted)
    },
  },
  resendInvitation: {
    makes: ['update invitations'],
    prepare: async () => {
      const { master, id } = await invite()
      const later = new Date(Date.now() + 120_000)
      return () => resendInvitation({ ...master.ctx, now: () => later }, { id })
    },
  },
  revokeInvitation: {
    makes: ['update invitations'],
    prepare: async () => {
      const { master, id } = await invite()
      return () => revokeInvitation(master.ctx, { id })
    },
  },
  retryMessage: {
    makes: ['update messages'],
    prepare: async () => {
      const values = { template: 'news', recipient: 'a@b.example', locale: 'ru', content: 'sealed' }
      const [row] = await db()
        .insert(messages)
        .values({ ...values, kind: 'email', status: 'failed' })
        .returning()
      return () => retryMessage(ctx, { id: row?.id ?? '' })
    },
  },
  openAccess: {
    makes: ['update access-lists', 'update settings'],
    prepare: async () => {
      await db().insert(settings).values({ id: 'whitelistMode', value: true })
      await db().insert(accessListEntries).values({ list: 'blacklist', ip: '192.0.2.0/24' })
      return () => openAccess(null, new Date())
    },
  },
}

const newest = async () =>
  (
    await db()
      .select({ id: max(history.id) })
      .from(history)
  )[0]?.id ?? 0
const rowsSince = (id: number) => db().select().from(history).where(gt(history.id, id)).orderBy(asc(history.id))
type Row = Awaited<ReturnType<typeof rowsSince>>[number]

type Change = Pick<Row, 'type' | 'entity' | 'entityId' | 'changerId' | 'requestId' | 'date' | 'field'> & {
  previous?: unknown
  current?: unknown
}
/** The changes as whoever reads a history and whoever hears of an event see them, in one order. */
const changes = (all: Change[]) =>
  all
    .map(({ type, entity, entityId, changerId, requestId, date, field, previous, current }) => ({
      key: [type, entity, entityId, field].join(),
      ...{ changerId, requestId, date, previous, current },
    }))
    .toSorted((one, other) => one.key.localeCompare(other.key))
const eventChanges = (events: Awaited<ReturnType<typeof eventsSince>>) =>
  changes(
    events.flatMap(({ changes: fields, ...event }) =>
      Object.entries(fields).map(([field, change]) => ({ ...event, field, ...change })),
    ),
  )

describe.each(Object.entries({ ...calls, ...verbs }))('%s', (_, { makes, prepare }) => {
  test('is recorded under its entities, in the history and for the outbox alike, without a secret', async () => {
    const change = await prepare()
    const before = await newest()
    const place = await newestEvent()
    const answer = await change()
    const [rows, events] = [await rowsSince(before), await eventsSince(place)]
    expect([...new Set(rows.map(({ type, entity }) => `${type} ${entity}`))].toSorted()).toEqual(makes)
    const changed = rows.filter(({ field }) => field !== null && field !== 'secretRead')
    expect(eventChanges(events)).toEqual(changes(changed))
    const shown = JSON.stringify([rows, events])
    const { secret: made } = (answer ?? {}) as { secret?: string | null }
    for (const value of [password, newPassword, '$argon2', ...(made ? [made] : [])]) expect(shown).not.toContain(value)
    const sealed = await db().select({ secrets: oidcClients.secrets }).from(oidcClients)
    for (const one of sealed.flatMap(({ secrets }) => secrets)) expect(shown).not.toContain(one.sealed)
  })
})
