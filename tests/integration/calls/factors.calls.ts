import { readUserFactors, resetUserFactors } from '@/lib/account-administration/user-factors/contract'
import {
  confirmAuthenticatorApp,
  readOwnFactors,
  removeAuthenticatorApp,
  renewRecoveryCodes,
  requestFactorsCode,
  startAuthenticatorApp,
} from '@/lib/my-account/factors/contract'
import { createRoleWith, signedInWith } from '../../factories/access'
import { confirmApp, giveApp, removeApp, renewCodes, startAppByCode } from '../../factories/authenticator'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { inProduction } from '../../factories/oidc-clients'
import { proof, provenIn } from '../../factories/proofs'
import { handlerOf } from '../../factories/routes'
import { startSessionOf } from '../../factories/sign-in'
import { codeOf } from '../../factories/totp'
import { createUser } from '../../factories/users'
import { administrator, letInByApp } from '../../factories/ways-in'

const read = handlerOf(readOwnFactors)

/** Somebody who is signed in. */
const person = async () => {
  const [user, browser] = [await createUser({ roles: [] }), new Browser()]
  await startSessionOf(browser, user.id)
  return { user, browser }
}
/** Somebody with an authenticator app. */
const withApp = async () => {
  const { user, browser } = await person()
  return { ...user, browser, ...(await giveApp(user.id)) }
}
let signedIn: ReturnType<typeof signedInWith> | undefined
const self = () => {
  signedIn ??= signedInWith(['users.write'])
  return signedIn
}

const tests = [
  'sign-in/authenticator-app.test.ts',
  'sign-in/authenticator-app-attacks.test.ts',
  'sign-in/own-passkeys.test.ts',
]
const rules = ['my-account/own-account-attacks.test.ts']

export default [
  provenIn(readOwnFactors, tests.slice(0, 1)),
  provenIn(requestFactorsCode, tests, { rules, unrecorded: 'sends a code; the app is recorded' }),
  provenIn(startAuthenticatorApp, tests, { rules, unrecorded: 'stores nothing; the app is recorded' }),
  provenIn(confirmAuthenticatorApp, tests, {
    makes: ['update users'],
    prepare: async () => {
      const { user, browser } = await person()
      const { body } = await startAppByCode(browser, user.email)
      return () => confirmApp(browser, { proof: body.proof, code: codeOf(String(body.key)) })
    },
  }),
  provenIn(removeAuthenticatorApp, tests, {
    rules,
    makes: ['update users'],
    prepare: async () => {
      const { browser, key } = await withApp()
      return () => removeApp(browser, { code: codeOf(key) })
    },
  }),
  provenIn(renewRecoveryCodes, tests, {
    rules,
    makes: ['update users'],
    prepare: async () => {
      const { browser, key } = await withApp()
      return () => renewCodes(browser, { code: codeOf(key) })
    },
  }),
  proof(readUserFactors, {
    prepare: async () => {
      const { id, browser } = await withApp()
      const { body } = await browser.send(read, 'GET')
      return { id, since: (body.authenticatorApp as { since: string }).since }
    },
    input: ({ id }) => ({ params: { id } }),
    shows: ({ since }) => ({ authenticatorApp: { since, recoveryCodes: 10 } }),
  }),
  proof(resetUserFactors, {
    makes: ['update users'],
    prepare: withApp,
    input: ({ id }) => ({ params: { id }, body: { reason: 'lost phone' } }),
    look: (caller, { id }) => caller.call(readUserFactors, { params: { id } }),
    shows: () => ({ authenticatorApp: null }),
    errors: {
      forbiddenUser: {
        input: async () => ({
          params: { id: (await createUser({ roles: [await createRoleWith(['license.write'])] })).id },
          body: { reason: 'lost phone' },
        }),
      },
      ownFactors: {
        by: async () => new Caller((await self()).browser),
        input: async () => ({ params: { id: (await self()).user.id }, body: { reason: 'lost phone' } }),
      },
      lastAdministrator: {
        by: administrator,
        within: inProduction,
        input: async (_, { id }) => {
          await letInByApp(id)
          return { params: { id }, body: { reason: 'lost phone' } }
        },
      },
      factorsNone: {
        input: async () => ({ params: { id: (await createUser({ roles: [] })).id }, body: { reason: 'lost phone' } }),
      },
    },
  }),
]
