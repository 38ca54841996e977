import { authCode, authConfig, authLogin, authLogout } from '@/lib/sign-in/attempts/contract'
import { Browser } from '../../factories/browser'
import { provenIn } from '../../factories/proofs'
import { begin, prove, signInByPassword, signOut } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'

export default [
  provenIn(authConfig, ['sign-in.test.ts', 'code-spraying.test.ts']),
  provenIn(authCode, ['codes.test.ts', 'code-spraying.test.ts', 'sms.test.ts', 'open-flows.test.ts'], {
    rules: ['sign-in.test.ts'],
    unrecorded: 'sends a code; whoever enters it is recorded as a login',
  }),
  provenIn(authLogin, ['sign-in.test.ts', 'codes.test.ts', 'guards.test.ts', 'code-spraying.test.ts'], {
    makes: ['login users'],
    prepare: async () => {
      const [user, browser] = [await createUser(), new Browser()]
      await begin(browser, user.login)
      return () => prove(browser, user.login, { password })
    },
  }),
  provenIn(authLogout, ['sessions.test.ts'], {
    makes: ['delete sessions'],
    prepare: async () => {
      const [user, browser] = [await createUser(), new Browser()]
      await signInByPassword(browser, user.login, password)
      return () => signOut(browser)
    },
  }),
]
