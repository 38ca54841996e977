import { expect } from 'vitest'
import { readUserPreview } from '@/lib/account-administration/user-preview/contract'
import { createRoleWith } from '../../factories/access'
import { proof } from '../../factories/proofs'
import { createUser } from '../../factories/users'

let made = 0

export default [
  proof(readUserPreview, {
    prepare: async () => {
      const method = made++ % 2 === 0 ? 'users.read' : 'users.write'
      return { method, ...(await createUser({ roles: [await createRoleWith([method])] })) }
    },
    input: ({ id }) => ({ params: { id } }),
    shows: ({ method }) => ({
      menus: expect.arrayContaining([expect.objectContaining({ group: 'people', screens: ['PlatformUsers'] })]),
      // whoever writes reads too, so of a reader it shows that they don't write
      methods: (method === 'users.write' ? expect : expect.not).arrayContaining([
        expect.objectContaining({ code: 'users.write', application: null }),
      ]),
      signIn: { by: 'base', stuck: false },
    }),
    errors: {
      forbiddenUser: {
        input: async () => ({
          params: { id: (await createUser({ roles: [await createRoleWith(['license.write'])] })).id },
        }),
      },
    },
  }),
]
