import { z } from 'zod'
import { contract } from '@/lib/base/contracts/contract'

/**
 * The methods that decide which banners, notifications and lists the interface requests (docs/rules/access.md#methods).
 */
const Accesses = z.strictObject({
  monitoringNotifyAccess: z.boolean(),
  diagnosticsNotifyAccess: z.boolean(),
  diagnosticsApplicationsNotifyAccess: z.boolean(),
  masterAccountAccess: z.boolean(),
  usersAccess: z.boolean(),
})

export const getPlatformConfiguration = contract({
  name: 'getPlatformConfiguration',
  method: 'GET',
  path: '/ui/configure/platform',
  summary: 'What the signed-in person’s interface shows: accesses and settings',
  tag: 'start-up',
  access: 'user',
  response: z.strictObject({
    accesses: Accesses,
    settings: z.strictObject({
      headerVisible: z.boolean(),
      /** Whether the side menu is folded for people who haven’t chosen. */
      uiNavMini: z.boolean(),
      editNavMini: z.boolean(),
      navMiniTitle: z.boolean(),
      useUserFio: z.boolean(),
      localNotifies: z.boolean(),
      accessRequests: z.boolean(),
      cookie: z.boolean(),
      pageSizes: z.array(z.number().int()),
    }),
  }),
})

export const getPlatformApplication = contract({
  name: 'getPlatformApplication',
  method: 'GET',
  path: '/applications/platform',
  summary: 'The platform itself as an application, with the version that runs',
  tag: 'start-up',
  access: 'user',
  response: z.strictObject({ code: z.string(), name: z.string(), nameEn: z.string(), version: z.string() }),
})

export const getCountryCodes = contract({
  name: 'getCountryCodes',
  method: 'GET',
  path: '/country/codes',
  summary: 'Countries with their calling codes, by name in the language of the caller',
  tag: 'start-up',
  access: 'public',
  response: z.strictObject({
    countries: z.array(
      z.strictObject({
        /** ISO 3166-1 alpha-2. */
        code: z.string(),
        name: z.string(),
        /** With the plus sign. */
        callingCode: z.string(),
      }),
    ),
  }),
})
