import { listSignIns } from '@/lib/sign-in/sign-in-log/contract'
import { Browser } from '../../factories/browser'
import { proof } from '../../factories/proofs'
import { signInByPassword } from '../../factories/sign-in'
import { createUser } from '../../factories/users'

export default [
  proof(listSignIns, {
    prepare: async () => {
      const user = await createUser()
      await signInByPassword(new Browser(), user.login, 'wrong')
      return user
    },
    input: ({ id }) => ({ query: { filter: { userId: id } } }),
    shows: ({ id, fio }) => ({
      signIns: [{ success: false, cause: 'wrongPassword', flows: ['credentials'], user: { id, name: fio } }],
    }),
  }),
]
