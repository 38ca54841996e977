import { expect } from 'vitest'
import { readUserPreview } from '@/lib/account-administration/user-preview/contract'
import { createRoleWith } from '../../factories/access'
import { proof } from '../../factories/proofs'
import { createUser } from '../../factories/users'

let made = 0

export default [
  proof(readUserPreview, {
    prepare: async () => {
      const held = made++ % 2 === 0 ? 'users.read' : 'users.write'
      return { held, ...(await createUser({ roles: [await createRoleWith([held])] })) }
    },
    input: ({ id }) => ({ params: { id } }),
    shows: ({ held }) => ({
      menus: expect.arrayContaining([expect.objectContaining({ group: 'people', screens: ['PlatformUsers'] })]),
      // whoever writes reads too, so of a reader it shows that they don't write
      methods: (held === 'users.write' ? expect : expect.not).arrayContaining([
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
