import { z } from 'zod'
import { contract, Id, line } from '@/lib/base/contracts/contract'
import { CursorMeta, listQuery, many, yesNoFilter } from '@/lib/base/lists/lists'
import { IdAttribute, ProvenFlow } from '../attempts/contract'
import { signInCauses } from '../log/causes'

/** The query of the sign-in log: the newest first, by cursor. */
export const SignInQuery = listQuery({
  filters: {
    /** A login, an e-mail or a mobile, whole, as somebody would type it. */
    search: line(255).optional(),
    userId: Id.optional(),
    success: yesNoFilter().optional(),
    cause: many(z.enum(signInCauses, { error: 'errorFormat' })).optional(),
    flow: many(ProvenFlow).optional(),
    providerId: Id.optional(),
    ip: z.union([z.ipv4(), z.ipv6()], { error: 'errorFormat' }).optional(),
    dateFrom: z.iso.date('errorFormat').optional(),
    dateTo: z.iso.date('errorFormat').optional(),
  },
  sorts: ['date'],
  defaultSort: { by: 'date', order: 'desc' },
  cursor: true,
})
export type SignInInput = z.output<typeof SignInQuery>

const SignIn = z.strictObject({
  id: Id,
  date: z.iso.datetime(),
  success: z.boolean(),
  /** Why it failed. The answer to the person says less. */
  cause: z.enum(signInCauses).nullable(),
  /**
   * The message of the identity provider, or the fault of its answer, in one line. After a success, the data of the
   * person that was left out of the account.
   */
  reason: z.string().nullable(),
  /** The reason in words, in the reader's language. */
  reasonText: z.string().nullable(),
  /** The flow that failed. After a success, the proven flows in order; none after a registration or an invitation. */
  flows: z.array(ProvenFlow),
  /** The identity provider of the sign-in; `name` is null if it was deleted since. */
  provider: z.strictObject({ id: Id, name: z.string().nullable() }).nullable(),
  idAttribute: IdAttribute.nullable(),
  /** Part of an identifier that has no account, such as `i•••@p•••.ru`. */
  mask: z.string().nullable(),
  /** The account; `name` is null if it was deleted since. */
  user: z.strictObject({ id: Id, name: z.string().nullable() }).nullable(),
  /** The application to which the person was going; null for the platform itself. */
  application: z.strictObject({ id: Id, name: z.string(), nameEn: z.string().nullable() }).nullable(),
  ip: z.string(),
  device: z.strictObject({ browser: z.string(), system: z.string(), type: z.string() }),
})
export type SignIn = z.output<typeof SignIn>

export const listSignIns = contract({
  name: 'listSignIns',
  tag: 'users',
  summary: 'Who signed in and who was refused, with the cause; never what was typed',
  access: { area: 'users' },
  method: 'GET',
  path: '/setting/sign-ins',
  query: SignInQuery,
  response: z.strictObject({ signIns: z.array(SignIn), meta: CursorMeta }),
})
