import { z } from 'zod'
import { contract, Done, Id, line } from '@/lib/base/contracts/contract'
import { ListMeta, listQuery } from '@/lib/base/lists/lists'

const tag = 'user-applications'

/** The platform's own applications need no consent; external ones need that of the person. */
const ApplicationKind = z.enum(['own', 'external'])

export const UserApplication = z.strictObject({
  id: Id,
  name: z.string(),
  nameEn: z.string().nullable(),
  /** Its address, if it has one. */
  url: z.string().nullable(),
  type: ApplicationKind,
  /** The scopes that it has. */
  scopes: z.array(z.string()),
  /** Since when it has had access. */
  since: z.iso.datetime().nullable(),
  /** When it last received a token that is still stored. */
  lastUsed: z.iso.datetime().nullable(),
})
export type UserApplication = z.output<typeof UserApplication>

export const UserApplicationQuery = listQuery({
  filters: { search: line(100).optional(), type: ApplicationKind.optional() },
  sorts: ['name'],
  defaultSort: { by: 'name', order: 'asc' },
})

export const listUserApplications = contract({
  name: 'listUserApplications',
  method: 'GET',
  path: '/user/applications',
  summary: 'Applications that may learn something of the person: those of others first',
  tag,
  access: 'user',
  query: UserApplicationQuery,
  response: z.strictObject({ applications: z.array(UserApplication), meta: ListMeta }),
})

export const withdrawUserApplication = contract({
  name: 'withdrawUserApplication',
  method: 'DELETE',
  path: '/user/applications/{applicationId}',
  summary: "Withdraws an application's access to the person's data: its consents, grants and tokens end at once",
  tag,
  access: 'user',
  params: z.strictObject({ applicationId: Id }),
  response: Done,
  errors: { notFound: 404 },
  snackbar: 'userApplicationWithdraw',
})
