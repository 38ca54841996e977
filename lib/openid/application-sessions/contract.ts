import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { CursorMeta, listQuery } from '@/lib/base/lists/lists'

const path = '/setting/applications/sessions'
const common = { tag: 'applications', access: { area: 'applications' } } as const

const filters = {
  /** A part of the name or the login of a person, of the application's name, or of the client's id. */
  search: line(100).optional(),
  dateFrom: z.iso.date('errorFormat').optional(),
  dateTo: z.iso.date('errorFormat').optional(),
  applicationId: Id.optional(),
}

export const ApplicationSessionQuery = listQuery({
  filters,
  sorts: ['start'],
  defaultSort: { by: 'start', order: 'desc' },
  cursor: true,
})

const ApplicationSession = z.strictObject({
  id: z.string(),
  clientId: z.string(),
  client: z.string(),
  application: z.strictObject({ id: Id, name: z.string(), nameEn: z.string().nullable() }),
  /** The person of the session. Only callers who may read users get the login. */
  user: z.strictObject({ id: Id, name: z.string(), login: z.string().nullable() }).nullable(),
  start: z.iso.datetime(),
  /** When its latest token was issued; null without one. */
  lastUsed: z.iso.datetime().nullable(),
  expiry: z.iso.datetime(),
})
export type ApplicationSession = z.output<typeof ApplicationSession>

export const listApplicationSessions = contract({
  ...common,
  name: 'listApplicationSessions',
  method: 'GET',
  path,
  summary: 'What people are signed in to: live grants by client, the newest first',
  query: ApplicationSessionQuery,
  response: z.strictObject({ sessions: z.array(ApplicationSession), meta: CursorMeta }),
})

export const endApplicationSessions = contract({
  ...common,
  name: 'endApplicationSessions',
  method: 'DELETE',
  path,
  summary: 'Ends the sessions of an application, or all, that the filter finds; their applications are told',
  snackbar: 'applicationsSessionsLogout',
  query: z.strictObject({
    applicationId: Id.optional(),
    filter: z.strictObject({ search: filters.search, dateFrom: filters.dateFrom, dateTo: filters.dateTo }).optional(),
  }),
  response: z.strictObject({ ended: z.number().int() }),
})

export const endApplicationSession = contract({
  ...common,
  name: 'endApplicationSession',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Ends a session of a client: its tokens are refused at once, and its application is told',
  snackbar: 'applicationsSessionLogout',
  params: z.strictObject({ id: line(64).regex(/^[\w-]{1,64}$/, 'errorFormat') }),
  query: z.strictObject({ clientId: line(64).regex(/^[\w-]{1,64}$/, 'errorFormat') }),
  response: Done,
  errors: { notFound: 404 },
})
