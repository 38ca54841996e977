import { setUserEnabled } from '@/lib/accounts/users/enable'
import { systemicMethods } from '@/lib/base/access/access-methods'
import { createContext } from '../../factories/context'
import { recording } from '../../factories/proofs'
import { createUser } from '../../factories/users'

const administrator = () => createContext({ methods: [...systemicMethods] })

export default [
  recording('setUserEnabled', {
    makes: ['update users'],
    prepare: async () => {
      const [ctx, { id: userId }] = [await administrator(), await createUser()]
      return () => setUserEnabled(ctx, { userId, enabled: false })
    },
  }),
]
