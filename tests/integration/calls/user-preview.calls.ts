import { readUserPreview } from '@/lib/entry/user-preview/contract'
import { createRoleWith } from '../../factories/access'
import { proof } from '../../factories/proofs'
import { createUser } from '../../factories/users'

export default [
  proof(readUserPreview, {
    prepare: async () => createUser({ roles: [await createRoleWith(['users.read'])] }),
    input: ({ id }) => ({ params: { id } }),
    shows: () => ({
      menus: [
        { group: 'home' },
        { group: 'account' },
        { group: 'work' },
        { group: 'overview' },
        { group: 'people', screens: ['PlatformUsers'] },
      ],
      methods: [{ code: 'users.read' }],
      signIn: { stuck: false },
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
