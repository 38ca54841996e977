import { expect } from '@playwright/test'
import type { ScreenName } from '@/lib/kernel/navigation/screens'
import { person } from '../people'
import { signInAs } from '../signed-in'
import { deviceTypes, networkAliases, overview } from './administration'
import * as entry from './entry'
import { personal, profile, services, sessions } from './profile'
import type { Row } from './row'

const help: Row[] = [
  { open: '/platform/help' },
  {
    name: 'found',
    open: ({ page, language }) =>
      page.goto(`/platform/help?search=${language === 'ru' ? 'код' : 'code'}`).then(() => undefined),
  },
  { name: 'nothing found', open: '/platform/help?search=zzz' },
]

/** How each screen is opened, and what else it shows. A screen without an entry fails the types and the sweep. */
export const rows: Record<ScreenName, Row[]> = {
  Auth: entry.signIn,
  RegistrationStepOne: entry.registrationStepOne,
  RegistrationStepTwo: entry.registrationStepTwo,
  SetPassword: entry.setPassword,
  Invitation: entry.invitation,
  ForgotPassword: entry.forgotPassword,
  NewPassword: entry.newPassword,
  HelpService: help,
  LawPage: [{ open: '/platform/law/cookies' }, { name: 'the user agreement', open: '/platform/law/user-agreement' }],
  NoAccess: [{ open: '/platform/no-access' }],
  NotFound: [{ open: '/platform/404' }],
  switchService: services,
  UserProfile: profile,
  UserProfileMain: personal,
  UserProfileSessions: sessions,
  UserProfileApplications: [
    {
      async open({ page, context, language, t }) {
        await signInAs(context, (await person(['credentials'])).login, language)
        await page.goto('/platform/profile/applications')
        await expect(page.getByText(t['user-applications'].empty)).toBeVisible()
      },
    },
  ],
  Platform: overview,
  PlatformDeviceTypes: deviceTypes,
  PlatformNetworkAliases: networkAliases,
}

/** Pages that stand in no menu and aren't in `screens`. */
export const others: Record<string, Row[]> = {
  offline: [{ open: '/platform/offline' }],
  outbox: [
    { open: '/platform/dev/outbox' },
    { name: 'empty', open: '/platform/dev/outbox?filter[recipient]=nobody@nowhere.example' },
  ],
}
