// Made by npm run generate.
import type { ScreenRow } from './screen'

/** The existing pages, in the order of the menus. */
export const rows = [
  { name: 'ForgotPassword', path: '/platform/forgot-password', layout: 'Auth', public: true },
  { name: 'Invitation', path: '/platform/invitation/{id}', layout: 'Auth', public: true },
  { name: 'Auth', path: '/platform/login', layout: 'Auth', public: true, tabNumber: 0 },
  { name: 'SetPassword', path: '/platform/login/password/{id}', layout: 'Auth', public: true },
  { name: 'NewPassword', path: '/platform/new-password/{id}', layout: 'Auth', public: true },
  { name: 'RegistrationStepOne', path: '/platform/registration', layout: 'Auth', public: true },
  { name: 'RegistrationStepTwo', path: '/platform/registration/{id}', layout: 'Auth', public: true },
  { name: 'HelpService', path: '/platform/help', layout: 'Law', public: true },
  { name: 'LawPage', path: '/platform/law/{id}', layout: 'Law', public: true },
  { name: 'switchService', path: '/platform/apps', layout: 'Profile', public: false, menu: 'home', bar: 4 },
  { name: 'UserProfile', path: '/platform/profile', layout: 'Profile', public: false, menu: 'home', bar: 1 },
  { name: 'UserProfileMain', path: '/platform/profile/personal', layout: 'Profile', public: false, menu: 'account', bar: 5 },
  { name: 'UserProfileSessions', path: '/platform/profile/sessions', layout: 'Profile', public: false, menu: 'account', bar: 6 },
  { name: 'UserProfileApplications', path: '/platform/profile/applications', layout: 'Profile', public: false, menu: 'account' },
  { name: 'Notify', path: '/platform/notify', layout: 'Profile', public: false, menu: 'account' },
  { name: 'UserProfileSubscribes', path: '/platform/profile/subscribes', layout: 'Profile', public: false, menu: 'account' },
  { name: 'Platform', path: '/platform/setting', layout: 'Platform', public: false, area: 'any', menu: 'overview' },
  { name: 'PlatformDeviceTypes', path: '/platform/setting/device-types', layout: 'Platform', public: false, area: 'device-types', menu: 'access' },
  { name: 'PlatformNetworkAliases', path: '/platform/setting/network-aliases', layout: 'Platform', public: false, area: 'network-aliases', menu: 'access', family: 'lists' },
  { name: 'PlatformRoles', path: '/platform/setting/roles', layout: 'Platform', public: false, area: 'roles', menu: 'people' },
  { name: 'PlatformOrganizations', path: '/platform/setting/organizations', layout: 'Platform', public: false, area: 'organizations', menu: 'people' },
  { name: 'PlatformContractors', path: '/platform/setting/contractors', layout: 'Platform', public: false, area: 'contractors', menu: 'people' },
  { name: 'PlatformContractor', path: '/platform/setting/contractors/{id}', layout: 'Platform', public: false, area: 'contractors' },
  { name: 'PlatformOrganization', path: '/platform/setting/organizations/{id}', layout: 'Platform', public: false, area: 'organizations' },
  { name: 'PlatformRole', path: '/platform/setting/roles/{id}', layout: 'Platform', public: false, area: 'roles' },
  { name: 'NotFound', path: '/platform/404', layout: 'NoAccess', public: true },
  { name: 'NoAccess', path: '/platform/no-access', layout: 'NoAccess', public: true },
] as const satisfies readonly ScreenRow[]
