import { startClientTrial } from '@/lib/openid/trials/contract'
import { newClient } from '../../factories/administered-applications'
import { callerFor } from '../../factories/caller'
import { provenIn } from '../../factories/proofs'

export default [
  provenIn(startClientTrial, ['openid/client-trial.test.ts'], {
    makes: ['update oidcClients'],
    prepare: async () => {
      const [caller, { clientId }] = [await callerFor(startClientTrial), await newClient()]
      return () => caller.call(startClientTrial, { params: { clientId }, body: { scopes: ['email'] } })
    },
  }),
]
