import { randomInt, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { accessListEntries, networkAliases, networkAliasIps } from '@/db/schema'
import { sentMessagesPage } from '@/lib/base/mail-and-sms/sent-messages'
import { env } from '@/lib/base/runtime/env'
import { sendTestMail, sendTestSms } from '@/lib/messaging/test-messages/contract'
import {
  readPlatformSettings,
  readUsersSettings,
  savePlatformSettings,
  saveUsersSettings,
} from '@/lib/operations/settings-screen/contract'
import { signedInAsAdministrator, signedInWith } from '../../factories/access'
import { Browser } from '../../factories/browser'
import { Caller } from '../../factories/caller'
import { proof } from '../../factories/proofs'
import { methodIdsOf, plantRole, signedInAdministrator } from '../../factories/roles'
import { setSetting } from '../../factories/settings'
import { createUser } from '../../factories/users'

const minutes = (value: number) => ({ value, value_props: { unit: 'minutes' as const } })
const seconds = (value: number) => ({ value, value_props: { unit: 'seconds' as const } })
const nobody = { value_props: { users: [], emails: [] } }

/** Saved before, so that an old version is refused. */
const saved = async (caller: Caller) => {
  const email = `${randomUUID()}@polaris.example`
  const accessRequestsNotifyRecipients = { value_props: { users: [], emails: [email] } }
  await caller.call(savePlatformSettings, { body: { accessRequestsNotifyRecipients } })
  return { email, cap: randomInt(2, 128) }
}
const settingOf = async (caller: Caller, call: typeof readPlatformSettings, id: string) =>
  (await caller.call(call)).data.flatMap(({ settings }) => settings).filter((one) => one.id === id)

const aliasOf = async (ip: string) => {
  const [alias] = await db().insert(networkAliases).values({ name: randomUUID() }).returning()
  if (!alias) throw new Error('no alias was made')
  await db().insert(networkAliasIps).values({ aliasId: alias.id, ip, order: 0 })
  return alias.id
}
const noWhitelist = () => db().delete(accessListEntries).where(eq(accessListEntries.list, 'whitelist'))
/** What the environment gives; the same values as by default, so that other proofs notice nothing. */
const given = { licenseCheckPeriod: { value: 1, unit: 'days' }, syncPeriod: { value: 6, unit: 'hours' } }

const newUsersSetting = async (caller: Caller) => {
  const count = randomInt(1, 1_000)
  await caller.call(saveUsersSettings, { body: { registrationsPerIp: { value: count } } })
  return { count, next: (count % 1_000) + 1 }
}

/** Who may also change what is for administrators alone. */
const administrator = async () =>
  new Caller((await signedInAsAdministrator(new Browser(undefined, '203.0.113.98'))).browser)

/** Somebody who has used up the tests of the hour. */
const tired = async () => {
  const caller = new Caller((await signedInWith(['settings.write'])).browser)
  for (let n = 0; n < 10; n++) await caller.call(sendTestMail, { body: { email: 'tests@polaris.example' } })
  return caller
}
const outboxOf = (caller: Caller, recipient: string) =>
  caller.serve(() =>
    sentMessagesPage({ meta: { page: 1 }, filter: { recipient }, sortBy: 'createdAt', sort: 'desc' } as never).then(
      ({ messages }) => messages.map(({ template, status }) => ({ template, status })),
    ),
  )

export default [
  proof(readPlatformSettings, {
    prepare: saved,
    input: () => ({}),
    shows: ({ email }) => ({
      data: expect.arrayContaining([
        {
          id: 'notify',
          settings: expect.arrayContaining([
            expect.objectContaining({
              id: 'accessRequestsNotifyRecipients',
              value_props: { users: [], emails: [email] },
              default: { value: null, value_props: { users: [], emails: [] } },
            }),
          ]),
        },
      ]),
    }),
  }),
  proof(readUsersSettings, {
    prepare: newUsersSetting,
    input: () => ({}),
    shows: ({ count }) => ({
      data: expect.arrayContaining([
        expect.objectContaining({
          settings: expect.arrayContaining([
            expect.objectContaining({
              id: 'registrationsPerIp',
              value: count,
              default: { value: 20, value_props: null },
            }),
          ]),
        }),
      ]),
    }),
  }),
  proof(savePlatformSettings, {
    makes: ['update settings'],
    prepare: saved,
    input: () => ({ body: { authCodeAlive: minutes(7), accessRequestsNotifyRecipients: nobody } }),
    look: async (caller) => [
      ...(await settingOf(caller, readPlatformSettings, 'authCodeAlive')),
      ...(await settingOf(caller, readPlatformSettings, 'accessRequestsNotifyRecipients')),
    ],
    shows: () => [
      { value: 7, value_props: { unit: 'minutes' } },
      { value: null, value_props: { users: [], emails: [] } },
    ],
    errors: {
      errorReadOnly: {
        field: 'licenseCheckPeriod',
        input: () => {
          Object.assign(env(), { SETTINGS: given })
          return { body: { licenseCheckPeriod: minutes(120) } }
        },
      },
      errorPasswordMax: {
        field: 'passwordMax',
        by: administrator,
        input: () => ({ body: { passwordMax: { value: 10 }, passwordMin: { value: 12 } } }),
      },
      errorPasswordContradiction: {
        field: 'passwordCustomRules',
        by: administrator,
        input: () => ({
          body: { passwordCustomRules: { value: [{ pattern: '^\\d+$', title: { ru: 'Только цифры' } }] } },
        }),
      },
      errorAuthCodeAlive: {
        field: 'authCodeResendAlive',
        input: () => ({ body: { authCodeResendAlive: minutes(60) } }),
      },
      errorIdentification: {
        field: 'identificationLogin',
        input: () => ({
          body: {
            identificationLogin: { value: false },
            identificationEmail: { value: false },
            identificationMobile: { value: false },
          },
        }),
      },
      errorIdentificationOwn: {
        field: 'identificationLogin',
        by: async () => {
          const { browser, user } = await signedInWith(['settings.write'])
          await db().execute(`update users set mobile = null where id = '${user.id}'`)
          return new Caller(browser)
        },
        input: () => ({ body: { identificationLogin: { value: false }, identificationEmail: { value: false } } }),
      },
      errorIdentificationLockout: {
        field: 'identificationLogin',
        by: async () => {
          const { user } = await signedInAdministrator(true)
          await db().execute(`update users set mobile = null where id = '${user.id}'`)
          return new Caller((await signedInWith(['settings.write'])).browser)
        },
        input: () => ({ body: { identificationLogin: { value: false }, identificationEmail: { value: false } } }),
      },
      errorRefreshTokenLifespan: {
        field: 'refreshTokenLifespan',
        input: () => ({ body: { refreshTokenLifespan: seconds(5) } }),
      },
      errorSessionIdleAlive: { field: 'sessionAlive', input: () => ({ body: { sessionAlive: minutes(5) } }) },
      errorAliasUnknown: {
        field: 'reverseProxy',
        by: administrator,
        input: () => ({ body: { reverseProxy: { value_props: { value: [randomUUID()] } } } }),
      },
      errorPersonUnknown: {
        field: 'accessRequestsNotifyRecipients',
        input: () => ({
          body: { accessRequestsNotifyRecipients: { value_props: { users: [randomUUID()], emails: [] } } },
        }),
      },
      errorNotUnique: {
        input: async () => {
          await setSetting('identificationMobile', false)
          const { mobile } = await createUser()
          await createUser({ mobile })
          return { body: { identificationMobile: { value: true } } }
        },
      },
      forbiddenSetting: {
        input: () => ({ body: { metricsScript: { value: 'https://metrics.example/counter.js' } } }),
      },
      ownAddressDenied: {
        field: 'whitelistMode',
        input: async () => {
          await noWhitelist()
          return { body: { whitelistMode: { value: true } } }
        },
      },
      ownAddressDeniedLater: {
        field: 'whitelistMode',
        input: async (caller) => {
          await noWhitelist()
          const dateTo = new Date(Date.now() + 3_600_000)
          await db().insert(accessListEntries).values({ list: 'whitelist', ip: caller.browser.ip, dateTo })
          return { body: { whitelistMode: { value: true } } }
        },
      },
      ownAddressMisread: {
        field: 'reverseProxy',
        by: administrator,
        input: async () => ({
          body: { reverseProxy: { value_props: { value: [await aliasOf('203.0.113.98')] } } },
        }),
      },
    },
  }),
  proof(saveUsersSettings, {
    makes: ['update settings'],
    prepare: newUsersSetting,
    input: ({ next }) => ({ body: { registrationsPerIp: { value: next } } }),
    look: (caller) => settingOf(caller, readUsersSettings as never, 'registrationsPerIp'),
    shows: ({ next }) => [{ value: next }],
    errors: {
      errorReadOnly: {
        field: 'syncPeriod',
        input: () => {
          Object.assign(env(), { SETTINGS: given })
          return { body: { syncPeriod: minutes(60) } }
        },
      },
      errorRoleUnknown: {
        field: 'defaultUserRole',
        input: async () => ({
          body: { defaultUserRole: { value_props: { value: (await plantRole([], 'contractor')).id } } },
        }),
      },
      forbiddenSetting: { input: () => ({ body: { mobileVerifyAttempts: { value: 10 } } }) },
      errorRoleStrong: {
        field: 'defaultUserRole',
        input: async () => ({
          body: {
            defaultUserRole: { value_props: { value: (await plantRole(await methodIdsOf('settings.read'))).id } },
          },
        }),
      },
      forbiddenRole: {
        input: async () => ({
          body: { defaultUserRole: { value_props: { value: (await plantRole(await methodIdsOf('users.write'))).id } } },
        }),
      },
    },
  }),
  proof(sendTestMail, {
    unrecorded: 'it only sends a message',
    prepare: async () => `${randomUUID()}@polaris.example`,
    input: (email) => ({ body: { email } }),
    look: outboxOf,
    shows: () => [{ template: 'test', status: 'sent' }],
    errors: {
      tooManyAttempts: { by: tired, input: () => ({ body: { email: 'tests@polaris.example' } }) },
    },
  }),
  proof(sendTestSms, {
    unrecorded: 'it only sends a message',
    prepare: async () => `+7901${randomInt(1_000_000, 9_999_999)}`,
    input: (mobile) => ({ body: { mobile } }),
    look: outboxOf,
    shows: () => [{ template: 'test', status: 'sent' }],
    errors: {
      errorMobile: { field: 'mobile', input: () => ({ body: { mobile: '12' } }) },
      tooManyAttempts: { by: tired, input: () => ({ body: { mobile: '+79010000000' } }) },
    },
  }),
]
