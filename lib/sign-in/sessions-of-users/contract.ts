import { z } from 'zod'
import { contract, Id } from '@/lib/base/contracts/contract'
import { CursorMeta } from '@/lib/base/lists/lists'
import { Session, SessionQuery } from '../own-sessions/contract'

const ofUser = {
  path: '/setting/users/{id}/sessions',
  tag: 'users',
  access: { area: 'users' },
  params: z.strictObject({ id: Id }),
} as const

export const listUserSessions = contract({
  ...ofUser,
  name: 'listUserSessions',
  method: 'GET',
  summary: 'Where somebody is signed in, by last access',
  query: SessionQuery,
  response: z.strictObject({ sessions: z.array(Session), meta: CursorMeta }),
  errors: { notFound: 404 },
})

export const endUserSessions = contract({
  ...ofUser,
  name: 'endUserSessions',
  method: 'DELETE',
  summary: 'Ends all sessions of somebody, or the one with `sessionId`, and the tokens of their applications',
  query: z.strictObject({ sessionId: Id.optional() }),
  response: z.strictObject({ ended: z.number().int() }),
  errors: { notFound: 404, forbiddenUser: 403 },
  snackbar: 'userSessionsEnd',
})
