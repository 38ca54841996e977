import { acceptAgreements } from '@/lib/sign-in/agreements/contract'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { createAgreement, createDomain } from '../../factories/domains'
import { provenIn } from '../../factories/proofs'
import { startSessionOf } from '../../factories/sign-in'
import { createUser } from '../../factories/users'

export default [
  // the base domain would ask everybody
  provenIn(acceptAgreements, ['sign-in/agreements-at-once.test.ts'], {
    makes: ['update users'],
    prepare: async () => {
      const agreement = await createAgreement()
      const browser = new Browser(await createDomain({ agreement }))
      await startSessionOf(browser, (await createUser()).id)
      const termsAgree = [{ type: agreement, agree: true, version: 1 }]
      return () => new Caller(browser).call(acceptAgreements, { body: { termsAgree } })
    },
  }),
]
