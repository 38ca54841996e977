import { systemicMethods } from '@/lib/kernel/access-methods'
import { setUserEnabled } from '@/lib/people/users/enable'
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
