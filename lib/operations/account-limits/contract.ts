import { z } from 'zod'
import { codeFlowIds } from '@/lib/access/authentication-schemas/flow-ids'
import { contract, Done, Id } from '@/lib/base/contracts/contract'
import { CursorMeta, listQuery } from '@/lib/base/lists/lists'
import { StoppedAddress } from '../address-limits/contract'

const common = { tag: 'users', access: { area: 'users' }, params: z.strictObject({ id: Id }) } as const

/**
 * The kinds of messages that have a daily limit: codes by mail and SMS, codes for changes in the profile, recovery
 * links.
 */
export const dailyKinds = [...codeFlowIds, 'profile', 'recovery'] as const

const until = z.iso.datetime()
const Limits = z.strictObject({
  /**
   * Wrong passwords in a row; at the limit the password flow is closed until a code, a recovery or a lift opens it.
   * `until` is the end of the waiting time after the latest wrong entries.
   */
  password: z.strictObject({ failures: z.number().int(), closed: z.boolean(), until: until.nullable() }),
  /** Wrong codes of the last day and of 30 days; at a limit the code flows are closed until `until`. */
  codes: z.strictObject({
    day: z.number().int(),
    month: z.number().int(),
    closed: z.boolean(),
    until: until.nullable(),
  }),
  /**
   * The largest number of codes or links of one kind that were sent today, and the kinds that are stopped, with the
   * end.
   */
  sent: z.strictObject({
    day: z.number().int(),
    stops: z.array(z.strictObject({ kind: z.enum(dailyKinds), until })),
  }),
  /** Addresses from which sign-ins were refused in the last day, with the limits that stop them now. */
  addresses: z.array(StoppedAddress),
})
export type UserLimits = z.output<typeof Limits>

export const readUserLimits = contract({
  ...common,
  name: 'readUserLimits',
  method: 'GET',
  path: '/setting/users/{id}/limits',
  summary: 'What limits have stopped for an account, and until when',
  response: Limits,
  errors: { notFound: 404 },
})

export const liftUserLimits = contract({
  ...common,
  name: 'liftUserLimits',
  method: 'DELETE',
  path: '/setting/users/{id}/limits',
  summary:
    'Forgets the wrong passwords and codes of an account and what was sent to it, so that its person can try again',
  snackbar: 'userLimitsLift',
  response: Done,
  errors: { notFound: 404, forbiddenUser: 403, ownLimits: 409 },
})

const Message = z.strictObject({
  id: Id,
  kind: z.enum(['email', 'sms']),
  /** The name of its template; its text is never sent. */
  template: z.string(),
  recipient: z.string(),
  status: z.enum(['queued', 'sent', 'failed', 'dropped']),
  attempts: z.number().int(),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
})

export const UserMessageQuery = listQuery({
  filters: {},
  sorts: ['createdAt'],
  defaultSort: { by: 'createdAt', order: 'desc' },
  cursor: true,
})

export const listUserMessages = contract({
  ...common,
  name: 'listUserMessages',
  method: 'GET',
  path: '/setting/users/{id}/messages',
  summary: 'Mails and SMS to somebody with their outcome, without their text',
  query: UserMessageQuery,
  response: z.strictObject({ messages: z.array(Message), meta: CursorMeta }),
  errors: { notFound: 404 },
})
