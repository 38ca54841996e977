import { enableNotifyMethod, listNotifyMethods } from '@/lib/messaging/channels/contract'
import type { Caller } from '../../factories/caller'
import { proof } from '../../factories/proofs'

const sms = async (caller: Caller) =>
  (await caller.call(listNotifyMethods)).subscribesChannels.find(({ id }) => id === 'sms')
const switchTo = (enabled: boolean) => ({ params: { id: 'sms' }, body: { enabled } })

export default [
  proof(listNotifyMethods, {
    prepare: async (caller) => {
      const enabled = !(await sms(caller))?.enabled
      await caller.call(enableNotifyMethod, switchTo(enabled))
      return enabled
    },
    input: () => ({}),
    shows: (enabled) => ({
      subscribesChannels: [{ id: 'email' }, { id: 'sms', enabled, active: true }, { id: 'local' }],
    }),
  }),
  proof(enableNotifyMethod, {
    makes: ['update notify-methods'],
    // it ends as it began: the other proofs need the way
    prepare: (caller) => caller.call(enableNotifyMethod, switchTo(false)),
    input: () => switchTo(true),
    look: sms,
    shows: () => ({ id: 'sms', enabled: true }),
  }),
]
