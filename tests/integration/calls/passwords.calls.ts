import { reportSignIn } from '@/lib/sign-in/not-me/contract'
import {
  entryLinkStatus,
  passwordLink,
  passwordLinkStatus,
  setEntryPassword,
  setPassword,
} from '@/lib/sign-in/passwords/contract'
import { Browser } from '../../factories/browser'
import { provenIn } from '../../factories/proofs'
import { mailsTo, recoveryLink, setByLink } from '../../factories/recovery'
import { newPassword } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { signInByPassword } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'

const report = handlerOf(reportSignIn)
const putEntry = handlerOf(setEntryPassword)

/** One limit by address applies to every flow. */
const limits = ['sign-in/code-spraying.test.ts']

export default [
  provenIn(passwordLink, ['sign-in/recovery.test.ts'], {
    rules: limits,
    unrecorded: 'sends a link; the password that is set by it is recorded',
  }),
  provenIn(passwordLinkStatus, ['sign-in/recovery.test.ts']),
  provenIn(setPassword, ['sign-in/recovery.test.ts', 'sign-in/recovery-password.test.ts'], {
    rules: limits,
    makes: ['login users', 'update users'],
    prepare: async () => {
      const [user, browser] = [await createUser(), new Browser()]
      const id = await recoveryLink(browser, user)
      return () => setByLink(browser, id, newPassword)
    },
  }),
  provenIn(reportSignIn, ['sign-in/sign-in-report.test.ts'], {
    rules: limits,
    makes: ['delete sessions', 'update users'],
    prepare: async () => {
      const user = await createUser()
      for (let n = 0; n < 2; n++) await signInByPassword(new Browser(), user.login, password)
      const [mail] = await mailsTo(user.id, 'newDevice')
      const [id = ''] = /[0-9a-f-]{36}/.exec(mail?.text ?? '') ?? []
      return () => new Browser().send(report, 'POST', { params: { id } })
    },
  }),
  provenIn(entryLinkStatus, ['sign-in/guards.test.ts']),
  provenIn(setEntryPassword, ['sign-in/guards.test.ts', 'sign-in/recovery-password.test.ts'], {
    rules: [...limits, 'sign-in/recovery.test.ts'],
    makes: ['login users', 'update users'],
    prepare: async () => {
      const [user, browser] = [await createUser({ passwordChangeRequired: true }), new Browser()]
      const { body: led } = await signInByPassword(browser, user.login, password)
      const body = { password: newPassword, repeatPassword: newPassword }
      return () => browser.send(putEntry, 'PUT', { params: { id: String(led.setPassword) }, body })
    },
  }),
]
