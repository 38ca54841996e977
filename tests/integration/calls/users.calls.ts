import { db } from '@/db/client'
import { messages } from '@/db/schema'
import { systemicMethods } from '@/lib/kernel/access-methods'
import { setUserEnabled } from '@/lib/people/users/enable'
import { retryMessage } from '@/lib/platform/sender/dead-letters'
import { createContext } from '../../factories/context'
import { first } from '../../factories/platform'
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
  recording('retryMessage', {
    makes: ['update messages'],
    prepare: async () => {
      const values = { template: 'news', recipient: 'a@b.example', locale: 'ru', content: 'sealed' }
      const row = first(
        await db()
          .insert(messages)
          .values({ ...values, kind: 'email', status: 'failed' })
          .returning(),
      )
      const ctx = await administrator()
      return () => retryMessage(ctx, { id: row.id })
    },
  }),
]
