import { z } from 'zod'
import { contract, Id, line } from '@/lib/base/contracts/contract'
import { many } from '@/lib/base/lists/lists'

export const searchContacts = contract({
  name: 'searchContacts',
  tag: 'users',
  summary:
    'People for a choice, 50 unless `limit` says otherwise: by part of the name, with users.read also of the login or the e-mail, or by these ids',
  access: { areas: ['users', 'settings', 'roles', 'authentication-schemas'] },
  method: 'GET',
  path: '/setting/users/contacts/search',
  query: z.strictObject({
    searchValue: line(100).optional(),
    ids: many(Id, 100).optional(),
    /** How many at most; by default as many as there are ids, or 50. */
    limit: z.coerce
      .number({ error: 'errorFormat' })
      .int('errorFormat')
      .min(1, 'errorRange')
      .max(100, 'errorRange')
      .optional(),
  }),
  response: z.strictObject({
    contacts: z.array(z.strictObject({ userId: Id, fullName: z.string(), email: z.string().nullable() })),
  }),
})
