import {
  addPasskey,
  listOwnPasskeys,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '@/lib/my-account/passkeys/contract'
import { authPasskey, passkeyOptions } from '@/lib/sign-in/attempts/contract'
import { Browser } from '../../factories/browser'
import {
  Authenticator,
  addKey,
  giveKey,
  ownKeys,
  removeKey,
  renameKey,
  signInByKey,
  startKey,
} from '../../factories/passkey'
import { provenIn } from '../../factories/proofs'
import { startSessionOf } from '../../factories/sign-in'
import { createRole, createUser } from '../../factories/users'

/** Somebody with a passkey, who is signed in. */
async function withKey() {
  const [user, browser] = [await createUser({ roles: [] }), new Browser()]
  await startSessionOf(browser, user.id, ['credentials', 'email_code'])
  await giveKey(user.id)
  const { body } = await ownKeys(browser)
  const [passkey] = body.passkeys as { id: string }[]
  return { user, browser, id: passkey?.id ?? '' }
}

const tests = ['sign-in/passkeys.test.ts', 'sign-in/own-passkeys.test.ts', 'sign-in/passkey-attacks.test.ts']
const rules = ['my-account/own-account-attacks.test.ts']

export default [
  provenIn(listOwnPasskeys, tests),
  provenIn(startPasskey, tests, { rules, unrecorded: 'stores nothing; the passkey is recorded' }),
  provenIn(addPasskey, tests, {
    makes: ['update users'],
    prepare: async () => {
      const { browser } = await withKey()
      const { body } = await startKey(browser)
      const passkey = new Authenticator().make(body.options as { challenge: string })
      return () => addKey(browser, { proof: body.proof, passkey })
    },
  }),
  provenIn(renamePasskey, tests, {
    makes: ['update users'],
    prepare: async () => {
      const { browser, id } = await withKey()
      return () => renameKey(browser, id, 'Laptop')
    },
  }),
  provenIn(removePasskey, tests, {
    rules,
    makes: ['update users'],
    prepare: async () => {
      const { browser, id } = await withKey()
      return () => removeKey(browser, id)
    },
  }),
  provenIn(passkeyOptions, tests),
  provenIn(authPasskey, tests, {
    makes: ['login users'],
    prepare: async () => {
      const role = await createRole({ firstFactor: ['passkey'], secondFactor: [] })
      const authenticator = await giveKey((await createUser({ roles: [role] })).id)
      return () => signInByKey(new Browser(), authenticator)
    },
  }),
]
