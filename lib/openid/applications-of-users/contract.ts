import { z } from 'zod'
import { contract, Done, Id } from '@/lib/base/contracts/contract'
import { ListMeta } from '@/lib/base/lists/lists'
import { UserApplication, UserApplicationQuery } from '../consents/contract'

const common = { tag: 'users', access: { area: 'users' } } as const

export const listApplicationsOfUser = contract({
  ...common,
  name: 'listApplicationsOfUser',
  method: 'GET',
  path: '/setting/users/{id}/applications',
  summary: 'Applications that have access to data of somebody',
  params: z.strictObject({ id: Id }),
  query: UserApplicationQuery,
  response: z.strictObject({ applications: z.array(UserApplication), meta: ListMeta }),
  errors: { notFound: 404 },
})

export const withdrawApplicationOfUser = contract({
  ...common,
  name: 'withdrawApplicationOfUser',
  method: 'DELETE',
  path: '/setting/users/{id}/applications/{applicationId}',
  summary: "Withdraws an application's access to data of somebody: its consents, grants and tokens end at once",
  params: z.strictObject({ id: Id, applicationId: Id }),
  response: Done,
  errors: { notFound: 404, forbiddenUser: 403 },
  snackbar: 'userApplicationEnd',
})
