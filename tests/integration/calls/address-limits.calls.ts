import { randomInt } from 'node:crypto'
import { liftAddressLimits, readAddressLimits } from '@/lib/operations/address-limits/contract'
import { countBegin } from '@/lib/sign-in/attempts/begin-limits'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { proof } from '../../factories/proofs'

/** An address in an IPv6 network that has begun as many attempts as it may. */
const stopped = async () => {
  const network = `2001:db8:${randomInt(0x1_0000).toString(16)}:${randomInt(0x1_0000).toString(16)}`
  await stop(`${network}::5`)
  return { ip: `${network}::5` }
}

const stop = async (ip: string) => {
  for (let n = 0; ; n++) if (await countBegin(`${ip.slice(0, -1)}${(n % 9) + 1}`).catch(() => true)) return
}

let lifter: Caller

export default [
  proof(readAddressLimits, {
    prepare: stopped,
    input: ({ ip }) => ({ query: { ip } }),
    shows: ({ ip }) => ({ ip, limits: [{ limit: 'attempts' }] }),
  }),
  proof(liftAddressLimits, {
    makes: ['update address-limits'],
    prepare: stopped,
    input: ({ ip }) => ({ query: { ip } }),
    look: (caller, { ip }) => caller.call(readAddressLimits, { query: { ip } }),
    shows: () => ({ limits: [] }),
    errors: {
      addressLifted: {
        input: async (caller) => {
          const query = await stopped()
          await caller.call(liftAddressLimits, { query })
          await stop(query.ip)
          return { query }
        },
      },
      liftsUsed: {
        // whoever has lifted so many lifts none in other proofs
        by: async () => {
          lifter = new Caller((await signedInWith(['users.write'])).browser)
          return lifter
        },
        input: async () => {
          for (let n = 0; n < 5; n++) await lifter.call(liftAddressLimits, { query: await stopped() })
          return { query: await stopped() }
        },
      },
    },
  }),
]
