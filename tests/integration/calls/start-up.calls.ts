import { getMenu, getPublicMenu, getServicesMenu } from '@/lib/applications/menu/contract'
import { getCountryCodes, getPlatformApplication, getPlatformConfiguration } from '@/lib/applications/start-up/contract'
import { viewDocument } from '@/lib/documents/documents/contract'
import { live } from '@/lib/my-account/live/contract'
import { getUserSettings, patchUserSettings } from '@/lib/my-account/settings/contract'
import { getPublicSettings } from '@/lib/operations/public-settings/contract'
import { searchLocales } from '@/lib/site/locales/contract'
import { getProjectInfo } from '@/lib/site/project-info/contract'
import type { Caller } from '../../factories/caller'
import { proof, provenIn } from '../../factories/proofs'

const settingsOf = async (caller: Caller) => (await caller.call(getUserSettings)).settings
let chosen = 0

export default [
  // properties of the platform, the same for everybody: no call changes them yet
  ...[
    getPublicSettings,
    getMenu,
    getPublicMenu,
    getServicesMenu,
    getProjectInfo,
    searchLocales,
    getPlatformConfiguration,
    getPlatformApplication,
    getCountryCodes,
  ].map((contract) => provenIn(contract, ['applications/start-up.test.ts'])),
  provenIn(viewDocument, ['documents/documents.test.ts']),
  // an answer that never ends
  provenIn(live, ['my-account/live.test.ts']),
  proof(getUserSettings, {
    prepare: async (caller) => {
      const pagination = ([20, 50] as const)[chosen++ % 2]
      await caller.call(patchUserSettings, { body: { settings: { pagination } } })
      return { pagination }
    },
    input: () => ({}),
    shows: (settings) => ({ settings }),
  }),
  proof(patchUserSettings, {
    unrecorded: 'how pages look to the person who chose it',
    prepare: async () => ({ navMini: true, pagination: 50, cookie: true, timeZone: 'Asia/Omsk' }) as const,
    input: (settings) => ({ body: { settings } }),
    look: settingsOf,
    shows: (settings) => settings,
    errors: {
      errorTimeZone: {
        field: 'settings.timeZone',
        input: () => ({ body: { settings: { timeZone: 'Mars/Olympus' } } }),
      },
    },
  }),
]
