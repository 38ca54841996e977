import { z } from 'zod'
import { contract, Id } from '@/lib/base/contracts/contract'
import { CursorMeta, listQuery } from '@/lib/base/lists/lists'

const tag = 'sessions'

const Device = z.strictObject({
  /** Name and version, as the browser sent them; empty if it sent none. */
  browser: z.string(),
  system: z.string(),
  /** Code of the device type. */
  type: z.string(),
  displaySize: z.string().nullable(),
  displayWindowSize: z.string().nullable(),
  displayZoom: z.number().nullable(),
})

export const Session = z.strictObject({
  id: Id,
  /** Whether it is the session of the caller. */
  current: z.boolean(),
  start: z.iso.datetime(),
  /** When it expires if it is no longer used. */
  expiry: z.iso.datetime(),
  /** Accurate to the minute. */
  lastAccess: z.iso.datetime(),
  /** When its data changed last, such as the display. */
  update: z.iso.datetime(),
  device: Device,
  ip: z.string(),
  /** Country of the address, as an ISO 3166 code; null if it isn't known, or if the platform has no country database. */
  country: z.string().nullable(),
  /** Name of the directory that authenticated the person; null if they signed in here. */
  provider: z.string().nullable(),
})
export type Session = z.output<typeof Session>

export const SessionQuery = listQuery({
  filters: {},
  sorts: ['lastAccess', 'start'],
  defaultSort: { by: 'lastAccess', order: 'desc' },
  cursor: true,
})

export const listSessions = contract({
  name: 'listSessions',
  method: 'GET',
  path: '/user/sessions',
  summary: 'Where the person is signed in: this session first, then by last access',
  tag,
  access: 'user',
  query: SessionQuery,
  response: z.strictObject({ sessions: z.array(Session), meta: CursorMeta }),
})

const Ended = z.strictObject({
  /** How many live sessions were ended. */
  ended: z.number().int(),
  /** Whether the caller's session was among them; its cookie is removed. */
  current: z.boolean(),
})

export const endSessions = contract({
  name: 'endSessions',
  method: 'DELETE',
  path: '/user/sessions',
  summary: "Ends all of the person's sessions, this one too; with `current=false` all the others",
  tag,
  access: 'user',
  query: z.strictObject({ current: z.enum(['true', 'false']).default('true') }),
  response: Ended,
  snackbar: 'sessionsEnd',
})

export const endSession = contract({
  name: 'endSession',
  method: 'DELETE',
  path: '/user/sessions/{sessionId}',
  summary: "Ends one of the person's sessions",
  tag,
  access: 'user',
  params: z.strictObject({ sessionId: Id }),
  response: Ended,
  errors: { notFound: 404 },
  snackbar: 'sessionEnd',
})
