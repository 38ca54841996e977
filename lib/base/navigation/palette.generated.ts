// Made by npm run generate.
import type { PaletteRow } from './screens'

/** What the search over the platform finds in the areas, and which forms it opens. */
export const paletteRows: readonly PaletteRow[] = [
  { name: 'PlatformApplications', path: '/platform/setting/applications', area: 'applications', finds: {'path':'/setting/applications','rows':'applications'}, create: 'applications.create' },
  { name: 'PlatformDomains', path: '/platform/setting/domains', area: 'domains', finds: {'path':'/setting/domains','rows':'domains'}, create: 'domains.create' },
  { name: 'PlatformAuthenticationSchemas', path: '/platform/setting/authentication-schemas', area: 'authentication-schemas', create: 'authentication-schemas.create' },
  { name: 'PlatformProviders', path: '/platform/setting/providers', area: 'providers', finds: {'path':'/setting/providers','rows':'providers'}, create: 'providers.create' },
  { name: 'PlatformDeviceTypes', path: '/platform/setting/device-types', area: 'device-types', finds: {'path':'/setting/devices-types','rows':'devicesTypes'}, create: 'device-types.create' },
  { name: 'PlatformNetworkAliases', path: '/platform/setting/network-aliases', area: 'network-aliases', finds: {'path':'/setting/network-aliases','rows':'networks'}, create: 'network-aliases.create' },
  { name: 'PlatformWhitelist', path: '/platform/setting/whitelist', area: 'access-lists', create: 'whitelist.create' },
  { name: 'PlatformBlacklist', path: '/platform/setting/blacklist', area: 'access-lists', create: 'blacklist.create' },
  { name: 'PlatformUsers', path: '/platform/setting/users', area: 'users', finds: {'path':'/setting/users','rows':'users'}, create: 'users.create' },
  { name: 'PlatformRoles', path: '/platform/setting/roles', area: 'roles', finds: {'path':'/setting/roles','rows':'roles'}, create: 'roles.create' },
  { name: 'PlatformOrganizations', path: '/platform/setting/organizations', area: 'organizations', finds: {'path':'/setting/organizations','rows':'organizations'}, create: 'organizations.create' },
  { name: 'PlatformContractors', path: '/platform/setting/contractors', area: 'contractors', finds: {'path':'/setting/contractors','rows':'contractors'}, create: 'contractors.create' },
  { name: 'PlatformNews', path: '/platform/setting/news', area: 'news', finds: {'path':'/setting/news','rows':'news'}, create: 'news.create' },
  { name: 'PlatformFields', path: '/platform/setting/options/users/dynamic-fields', area: 'dynamic-fields', finds: {'path':'/setting/dynamic-fields','rows':'fields'}, create: 'dynamic-fields.create' },
  { name: 'PlatformLibrariesDocuments', path: '/platform/setting/libraries/documents', area: 'libraries', finds: {'path':'/setting/documents','rows':'documents'}, create: 'documents.create' },
  { name: 'PlatformLibrariesBanners', path: '/platform/setting/libraries/banners', area: 'libraries', finds: {'path':'/setting/banners','rows':'banners'}, create: 'banners.create' },
  { name: 'PlatformLibrariesLocales', path: '/platform/setting/libraries/locales', area: 'libraries', finds: {'path':'/setting/locales','rows':'locales'}, create: 'locales.create' },
]
