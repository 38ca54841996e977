import { authCode, authConfig, authLogin, authLogout } from '@/lib/sign-in/attempts/contract'
import { Browser } from '../../factories/browser'
import { provenIn } from '../../factories/proofs'
import { begin, prove, signInByPassword, signOut } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'

export default [
  provenIn(authConfig, ['sign-in/sign-in.test.ts', 'sign-in/code-spraying.test.ts']),
  provenIn(
    authCode,
    ['sign-in/codes.test.ts', 'sign-in/code-spraying.test.ts', 'messaging/sms.test.ts', 'sign-in/open-flows.test.ts'],
    {
      rules: ['sign-in/sign-in.test.ts'],
      unrecorded: 'sends a code; whoever enters it is recorded as a login',
    },
  ),
  provenIn(
    authLogin,
    [
      ...[
        'sign-in/sign-in.test.ts',
        'sign-in/codes.test.ts',
        'sign-in/guards.test.ts',
        'sign-in/code-spraying.test.ts',
      ],
      'sign-in/passkeys.test.ts',
    ],
    {
      makes: ['login users'],
      prepare: async () => {
        const [user, browser] = [await createUser(), new Browser()]
        await begin(browser, user.login)
        return () => prove(browser, user.login, { password })
      },
    },
  ),
  provenIn(authLogout, ['sign-in/sessions.test.ts'], {
    makes: ['delete sessions'],
    prepare: async () => {
      const [user, browser] = [await createUser(), new Browser()]
      await signInByPassword(browser, user.login, password)
      return () => signOut(browser)
    },
  }),
]
