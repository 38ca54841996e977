import { z } from 'zod'
import { contract, Done, Id } from '@/lib/base/contracts/contract'
import { AccessRequestQuery, listAccessRequests } from '@/lib/companies/access-requests/contract'
import { listOwnInvitations, OwnInvitationQuery } from '@/lib/joining/received-invitations/contract'

const params = z.strictObject({ id: Id })
const common = { tag: 'users', access: { area: 'users' }, params, errors: { notFound: 404 } } as const
const reads = { ...common, method: 'GET' } as const

const Browser = z.strictObject({
  /** The id of the last session that was started in it. */
  id: Id,
  /** Name and version, as the browser sent them; empty if it sent none. */
  browser: z.string(),
  system: z.string(),
  /** Code of the device type. */
  type: z.string(),
  ip: z.string(),
  firstSeen: z.iso.datetime(),
  lastSeen: z.iso.datetime(),
})
export type KnownBrowser = z.output<typeof Browser>

export const listUserBrowsers = contract({
  ...reads,
  name: 'listUserBrowsers',
  path: '/setting/users/{id}/browsers',
  summary: 'The browsers that an account knows, at most ten: wrong codes elsewhere don’t close them',
  response: z.strictObject({ browsers: z.array(Browser) }),
})

export const forgetUserBrowser = contract({
  ...common,
  name: 'forgetUserBrowser',
  method: 'DELETE',
  path: '/setting/users/{id}/browsers/{browserId}',
  summary: 'Makes an account forget a browser; open sessions stay',
  snackbar: 'userBrowserForget',
  params: params.extend({ browserId: Id }),
  response: Done,
  errors: { notFound: 404, forbiddenUser: 403 },
})

const Agreement = z.strictObject({
  id: Id,
  code: z.string(),
  title: z.string(),
  /** The version that applies now. */
  version: z.number().int(),
  /** What the person agreed to last; null if they took it back or refused. */
  agreedVersion: z.number().int().nullable(),
  agreedAt: z.iso.datetime().nullable(),
  ip: z.string().nullable(),
  refusedAt: z.iso.datetime().nullable(),
})
export type UserAgreement = z.output<typeof Agreement>

export const listUserAgreements = contract({
  ...reads,
  name: 'listUserAgreements',
  path: '/setting/users/{id}/agreements',
  summary: 'The agreements that somebody has answered, with the version and the time',
  response: z.strictObject({ agreements: z.array(Agreement) }),
})

export const listUserRequests = contract({
  ...reads,
  name: 'listUserRequests',
  path: '/setting/users/{id}/access-requests',
  summary: 'The access requests of somebody',
  query: AccessRequestQuery,
  response: listAccessRequests.response,
})

export const listUserInvitations = contract({
  ...reads,
  name: 'listUserInvitations',
  path: '/setting/users/{id}/invitations',
  summary: 'The invitations to somebody’s main e-mail, and those that they accepted',
  query: OwnInvitationQuery,
  response: listOwnInvitations.response.omit({ email: true }),
})
