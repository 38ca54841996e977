import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Section, sectionKeys } from '@/lib/operations/configuration-file/sections'
import { contracts } from '@/lib/wiring/contracts'

/** The calls by which administrators set what a file has, by its section. */
const set: Record<Section, readonly string[]> = {
  locales: ['createLocale', 'updateLocale', 'deleteLocale', 'enableLocale', 'writeLocaleTexts', 'writeMessageTexts'],
  deviceTypes: ['createDeviceType', 'updateDeviceType', 'deleteDeviceType'],
  networkAliases: ['createNetworkAlias', 'updateNetworkAlias', 'deleteNetworkAlias'],
  accessLists: [
    ...['createWhitelistEntry', 'updateWhitelistEntry', 'deleteWhitelistEntry', 'enableWhitelistEntry'],
    ...['createBlacklistEntry', 'updateBlacklistEntry', 'deleteBlacklistEntry', 'enableBlacklistEntry'],
  ],
  documents: ['createDocument', 'updateDocument', 'deleteDocument', 'enableDocument'],
  banners: ['createBanner', 'updateBanner', 'deleteBanner', 'showBanner'],
  domains: ['createDomain', 'updateDomain', 'deleteDomain', 'enableDomain', 'patchDomainLogo', 'deleteDomainLogo'],
  applications: [
    ...['createApplication', 'updateApplication', 'deleteApplication', 'enableApplication', 'showApplication'],
    ...['updateApplicationMethods', 'updateServiceMethods', 'patchApplicationIcon', 'deleteApplicationIcon'],
  ],
  clients: [
    ...['createClient', 'updateClient', 'deleteClient', 'enableClient', 'updateClientAuthentication'],
    'updateClientKeys',
  ],
  webhooks: ['createWebhook', 'updateWebhook', 'deleteWebhook', 'enableWebhook'],
  roles: ['createRole', 'updateRole', 'deleteRole', 'enableRole'],
  authenticationSchemas: [
    ...['createAuthenticationSchema', 'updateAuthenticationSchema', 'deleteAuthenticationSchema'],
    'activateAuthenticationSchema',
  ],
  fieldTabs: ['createFieldTab', 'updateFieldTab', 'deleteFieldTab', 'activateFieldTab'],
  fieldBlocks: ['createSubtype', 'updateSubtype', 'deleteSubtype', 'activateSubtype'],
  fields: ['createDynamicField', 'updateDynamicField', 'deleteDynamicField', 'activateDynamicField'],
  providers: [
    ...['createProvider', 'updateProvider', 'deleteProvider', 'enableProvider', 'updateProviderSync'],
    ...['createProviderMapper', 'updateProviderMapper', 'deleteProviderMapper', 'enableProviderMapper'],
    'addBaseMappers',
  ],
  settings: ['savePlatformSettings', 'saveUsersSettings'],
  notifyMethods: ['enableNotifyMethod'],
  exchanges: ['updateIntegrationSync', 'enableIntegrationSync'],
  orders: ['orderApplications', 'orderAuthenticationSchemas', 'orderFieldTabs', 'orderFields'],
}

/** Calls of the administration that set nothing of a file, and why. */
const others: Record<string, readonly string[]> = {
  'people and what they hold': [
    ...['createUser', 'updateUser', 'deleteUser', 'enableUser', 'mergeUsers', 'bulkUsers', 'setUserRoles'],
    ...['setUserContractors', 'resetUserPassword', 'sendEntryLink', 'endUserSessions', 'forgetUserBrowser'],
    ...[
      'liftUserLimits',
      'resetUserFactors',
      'liftAddressLimits',
      'withdrawApplicationOfUser',
      'addHolders',
      'removeHolder',
      'checkUserImport',
    ],
    ...['readImportColumns', 'startUserImport', 'resumeUserImport', 'stopUserImport'],
  ],
  companies: [
    ...['createOrganization', 'updateOrganization', 'deleteOrganization', 'enableOrganization', 'createContractor'],
    ...['updateContractor', 'deleteContractor', 'enableContractor', 'mergeContractors', 'patchContractorPicture'],
    'deleteContractorPicture',
  ],
  'what people are told once': [
    ...['createNewsItem', 'updateNewsItem', 'deleteNewsItem', 'publishNewsItem', 'withdrawNewsItem'],
    ...['startReminders', 'stopReminderRun', 'resumeReminderRun'],
  ],
  'runs, tries and repairs': [
    ...['checkIntegrationSync', 'startIntegrationSync', 'stopIntegrationRun', 'resumeIntegrationRun', 'checkProvider'],
    ...['startProviderSync', 'stopProviderRun', 'resumeProviderRun', 'startClientTrial', 'testWebhook'],
    ...['replayWebhook', 'replayWebhookDelivery', 'sendTestMail', 'sendTestSms', 'previewMessageTexts'],
    ...['retryEvent', 'skipEvent', 'retryJobs', 'retryMessage', 'endApplicationSession', 'endApplicationSessions'],
  ],
  'secrets, which a file has sealed or not at all': [
    ...['rotateClientSecret', 'endPreviousSecret', 'rotateWebhookSecret', 'endPreviousWebhookSecret'],
  ],
  'the license of this instance': ['saveLicense', 'deleteLicense', 'checkLicense'],
  'the file itself': ['compareConfiguration', 'exportSealedConfiguration', 'importConfiguration'],
}

/** Where a field of a call stands in a file under another name. */
const renamed: Partial<Record<Section, Record<string, string>>> = {
  locales: { localeId: 'code', domainId: 'texts' },
  networkAliases: {},
  documents: { locales: 'texts', agreeAgain: 'version' },
  domains: {
    devicesIdAttributes: 'identifiers',
    domains: 'sources',
    base: 'name',
    removedLocales: 'locales',
    file: 'logo',
  },
  applications: { parentId: 'parent', methods: 'methods', file: 'icon' },
  fieldBlocks: {},
  fields: { subtype: 'block' },
  fieldTabs: {},
  providers: {
    clientSecret: 'secret',
    ...{ periodUnit: 'synchronization', periodAmount: 'synchronization', syncLimit: 'synchronization' },
    ...{ before: 'mappers', after: 'mappers', customAttributes: 'mappers', attributes: 'mappers' },
    absent: 'mappers',
  },
  orders: { order: 'order', priority: 'order' },
}
/** What a form reads and sends back. */
const readAlong = ['updatedAt', 'version', 'read']

const calls = contracts.filter(({ method, path }) => method !== 'GET' && path.startsWith('/setting/'))

test('each call of the administration that writes sets what a file has, or it is said why not', () => {
  const listed = [...Object.values(set).flat(), ...Object.values(others).flat()]
  expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
  expect(calls.map(({ name }) => name).toSorted()).toEqual(listed.toSorted())
})

test('each field that such a call takes is in a file', () => {
  const missing = (Object.keys(set) as Section[]).flatMap((section) =>
    calls
      .filter(({ name }) => set[section].includes(name))
      .flatMap(({ name, body }) => {
        // settings are one each, by their ids
        if (section === 'settings' || !(body instanceof z.ZodObject)) return []
        return Object.keys(body.shape)
          .filter((field) => !readAlong.includes(field))
          .filter((field) => !sectionKeys(section).includes(renamed[section]?.[field] ?? field))
          .map((field) => `${name}.${field}`)
      }),
  )
  expect(missing).toEqual([])
})
