// Made by npm run generate.
import * as entryAddressLimits from '@/lib/entry/address-limits/contract'
import * as entryAgreements from '@/lib/entry/agreements/contract'
import * as entryAuthenticationSchemas from '@/lib/entry/authentication-schemas/contract'
import * as entryDocumentCampaigns from '@/lib/entry/document-campaigns/contract'
import * as entryIntegrationJournal from '@/lib/entry/integration-journal/contract'
import * as entryIntegration from '@/lib/entry/integration/contract'
import * as entryInvitationImport from '@/lib/entry/invitation-import/contract'
import * as entryInvitations from '@/lib/entry/invitations/contract'
import * as entryOwnInvitations from '@/lib/entry/own-invitations/contract'
import * as entryPasswords from '@/lib/entry/passwords/contract'
import * as entryProviderSignIn from '@/lib/entry/provider-sign-in/contract'
import * as entryProviderSync from '@/lib/entry/provider-sync/contract'
import * as entryRegistration from '@/lib/entry/registration/contract'
import * as entrySentInvitations from '@/lib/entry/sent-invitations/contract'
import * as entrySessionsOfUsers from '@/lib/entry/sessions-of-users/contract'
import * as entrySignInLog from '@/lib/entry/sign-in-log/contract'
import * as entrySignInReport from '@/lib/entry/sign-in-report/contract'
import * as entrySignIn from '@/lib/entry/sign-in/contract'
import * as entryUserAccounts from '@/lib/entry/user-accounts/contract'
import * as entryUserHelp from '@/lib/entry/user-help/contract'
import * as entryUserImport from '@/lib/entry/user-import/contract'
import * as entryUserMerge from '@/lib/entry/user-merge/contract'
import * as entryUserPreview from '@/lib/entry/user-preview/contract'
import * as entryUserSessions from '@/lib/entry/user-sessions/contract'
import * as entryUserTies from '@/lib/entry/user-ties/contract'
import * as oidcApplicationSessions from '@/lib/oidc/application-sessions/contract'
import * as oidcApplicationsOfUsers from '@/lib/oidc/applications-of-users/contract'
import * as oidcApplications from '@/lib/oidc/applications/contract'
import * as oidcClients from '@/lib/oidc/clients/contract'
import * as oidcConsents from '@/lib/oidc/consents/contract'
import * as oidcTrials from '@/lib/oidc/trials/contract'
import * as operationsConfiguration from '@/lib/operations/configuration/contract'
import * as operationsDiagnostics from '@/lib/operations/diagnostics/contract'
import * as operationsEvents from '@/lib/operations/events/contract'
import * as operationsFailedWork from '@/lib/operations/failed-work/contract'
import * as operationsHistory from '@/lib/operations/history/contract'
import * as operationsLicense from '@/lib/operations/license/contract'
import * as operationsMonitoring from '@/lib/operations/monitoring/contract'
import * as operationsOwnHistory from '@/lib/operations/own-history/contract'
import * as peopleAccessRequests from '@/lib/people/access-requests/contract'
import * as peopleColleagues from '@/lib/people/colleagues/contract'
import * as peopleContacts from '@/lib/people/contacts/contract'
import * as peopleContractors from '@/lib/people/contractors/contract'
import * as peopleDynamicFields from '@/lib/people/dynamic-fields/contract'
import * as peopleFieldPictures from '@/lib/people/field-pictures/contract'
import * as peopleFieldTabs from '@/lib/people/field-tabs/contract'
import * as peopleNotifyMethods from '@/lib/people/notify-methods/contract'
import * as peopleOrganizations from '@/lib/people/organizations/contract'
import * as peopleProviderMappers from '@/lib/people/provider-mappers/contract'
import * as peopleProviders from '@/lib/people/providers/contract'
import * as peoplePublicSettings from '@/lib/people/public-settings/contract'
import * as peopleRoleHolders from '@/lib/people/role-holders/contract'
import * as peopleRoles from '@/lib/people/roles/contract'
import * as peopleSettings from '@/lib/people/settings/contract'
import * as peopleUserAdministration from '@/lib/people/user-administration/contract'
import * as platformAccessLists from '@/lib/platform/access-lists/contract'
import * as platformApplications from '@/lib/platform/applications/contract'
import * as platformBanners from '@/lib/platform/banners/contract'
import * as platformDeviceTypes from '@/lib/platform/device-types/contract'
import * as platformDocuments from '@/lib/platform/documents/contract'
import * as platformDomains from '@/lib/platform/domains/contract'
import * as platformLocaleTexts from '@/lib/platform/locale-texts/contract'
import * as platformLocales from '@/lib/platform/locales/contract'
import * as platformMenu from '@/lib/platform/menu/contract'
import * as platformMessageTexts from '@/lib/platform/message-texts/contract'
import * as platformNetworkAliases from '@/lib/platform/network-aliases/contract'
import * as platformPictures from '@/lib/platform/pictures/contract'
import * as platformProjectInfo from '@/lib/platform/project-info/contract'
import * as platformStartUp from '@/lib/platform/start-up/contract'
import * as platformTestMessages from '@/lib/platform/test-messages/contract'
import * as platformWebhooks from '@/lib/platform/webhooks/contract'
import * as profileAgreements from '@/lib/profile/agreements/contract'
import * as profileAvatar from '@/lib/profile/avatar/contract'
import * as profileCompanies from '@/lib/profile/companies/contract'
import * as profileContacts from '@/lib/profile/contacts/contract'
import * as profileDeletion from '@/lib/profile/deletion/contract'
import * as profileDevice from '@/lib/profile/device/contract'
import * as profileLive from '@/lib/profile/live/contract'
import * as profileNews from '@/lib/profile/news/contract'
import * as profileNotices from '@/lib/profile/notices/contract'
import * as profilePassword from '@/lib/profile/password/contract'
import * as profilePersonal from '@/lib/profile/personal/contract'
import * as profileSubscriptions from '@/lib/profile/subscriptions/contract'
import * as profileUserSettings from '@/lib/profile/user-settings/contract'

/** The exports of every contract.ts by its slice. */
export const modules = {
  'entry/address-limits': entryAddressLimits,
  'entry/agreements': entryAgreements,
  'entry/authentication-schemas': entryAuthenticationSchemas,
  'entry/document-campaigns': entryDocumentCampaigns,
  'entry/integration-journal': entryIntegrationJournal,
  'entry/integration': entryIntegration,
  'entry/invitation-import': entryInvitationImport,
  'entry/invitations': entryInvitations,
  'entry/own-invitations': entryOwnInvitations,
  'entry/passwords': entryPasswords,
  'entry/provider-sign-in': entryProviderSignIn,
  'entry/provider-sync': entryProviderSync,
  'entry/registration': entryRegistration,
  'entry/sent-invitations': entrySentInvitations,
  'entry/sessions-of-users': entrySessionsOfUsers,
  'entry/sign-in-log': entrySignInLog,
  'entry/sign-in-report': entrySignInReport,
  'entry/sign-in': entrySignIn,
  'entry/user-accounts': entryUserAccounts,
  'entry/user-help': entryUserHelp,
  'entry/user-import': entryUserImport,
  'entry/user-merge': entryUserMerge,
  'entry/user-preview': entryUserPreview,
  'entry/user-sessions': entryUserSessions,
  'entry/user-ties': entryUserTies,
  'oidc/application-sessions': oidcApplicationSessions,
  'oidc/applications-of-users': oidcApplicationsOfUsers,
  'oidc/applications': oidcApplications,
  'oidc/clients': oidcClients,
  'oidc/consents': oidcConsents,
  'oidc/trials': oidcTrials,
  'operations/configuration': operationsConfiguration,
  'operations/diagnostics': operationsDiagnostics,
  'operations/events': operationsEvents,
  'operations/failed-work': operationsFailedWork,
  'operations/history': operationsHistory,
  'operations/license': operationsLicense,
  'operations/monitoring': operationsMonitoring,
  'operations/own-history': operationsOwnHistory,
  'people/access-requests': peopleAccessRequests,
  'people/colleagues': peopleColleagues,
  'people/contacts': peopleContacts,
  'people/contractors': peopleContractors,
  'people/dynamic-fields': peopleDynamicFields,
  'people/field-pictures': peopleFieldPictures,
  'people/field-tabs': peopleFieldTabs,
  'people/notify-methods': peopleNotifyMethods,
  'people/organizations': peopleOrganizations,
  'people/provider-mappers': peopleProviderMappers,
  'people/providers': peopleProviders,
  'people/public-settings': peoplePublicSettings,
  'people/role-holders': peopleRoleHolders,
  'people/roles': peopleRoles,
  'people/settings': peopleSettings,
  'people/user-administration': peopleUserAdministration,
  'platform/access-lists': platformAccessLists,
  'platform/applications': platformApplications,
  'platform/banners': platformBanners,
  'platform/device-types': platformDeviceTypes,
  'platform/documents': platformDocuments,
  'platform/domains': platformDomains,
  'platform/locale-texts': platformLocaleTexts,
  'platform/locales': platformLocales,
  'platform/menu': platformMenu,
  'platform/message-texts': platformMessageTexts,
  'platform/network-aliases': platformNetworkAliases,
  'platform/pictures': platformPictures,
  'platform/project-info': platformProjectInfo,
  'platform/start-up': platformStartUp,
  'platform/test-messages': platformTestMessages,
  'platform/webhooks': platformWebhooks,
  'profile/agreements': profileAgreements,
  'profile/avatar': profileAvatar,
  'profile/companies': profileCompanies,
  'profile/contacts': profileContacts,
  'profile/deletion': profileDeletion,
  'profile/device': profileDevice,
  'profile/live': profileLive,
  'profile/news': profileNews,
  'profile/notices': profileNotices,
  'profile/password': profilePassword,
  'profile/personal': profilePersonal,
  'profile/subscriptions': profileSubscriptions,
  'profile/user-settings': profileUserSettings,
} as const

/** Loads the endpoints of a slice. */
export const endpointsOf = {
  'entry/address-limits': () => import('@/lib/entry/address-limits/endpoints'),
  'entry/agreements': () => import('@/lib/entry/agreements/endpoints'),
  'entry/authentication-schemas': () => import('@/lib/entry/authentication-schemas/endpoints'),
  'entry/document-campaigns': () => import('@/lib/entry/document-campaigns/endpoints'),
  'entry/integration-journal': () => import('@/lib/entry/integration-journal/endpoints'),
  'entry/integration': () => import('@/lib/entry/integration/endpoints'),
  'entry/invitation-import': () => import('@/lib/entry/invitation-import/endpoints'),
  'entry/invitations': () => import('@/lib/entry/invitations/endpoints'),
  'entry/own-invitations': () => import('@/lib/entry/own-invitations/endpoints'),
  'entry/passwords': () => import('@/lib/entry/passwords/endpoints'),
  'entry/provider-sign-in': () => import('@/lib/entry/provider-sign-in/endpoints'),
  'entry/provider-sync': () => import('@/lib/entry/provider-sync/endpoints'),
  'entry/registration': () => import('@/lib/entry/registration/endpoints'),
  'entry/sent-invitations': () => import('@/lib/entry/sent-invitations/endpoints'),
  'entry/sessions-of-users': () => import('@/lib/entry/sessions-of-users/endpoints'),
  'entry/sign-in-log': () => import('@/lib/entry/sign-in-log/endpoints'),
  'entry/sign-in-report': () => import('@/lib/entry/sign-in-report/endpoints'),
  'entry/sign-in': () => import('@/lib/entry/sign-in/endpoints'),
  'entry/user-accounts': () => import('@/lib/entry/user-accounts/endpoints'),
  'entry/user-help': () => import('@/lib/entry/user-help/endpoints'),
  'entry/user-import': () => import('@/lib/entry/user-import/endpoints'),
  'entry/user-merge': () => import('@/lib/entry/user-merge/endpoints'),
  'entry/user-preview': () => import('@/lib/entry/user-preview/endpoints'),
  'entry/user-sessions': () => import('@/lib/entry/user-sessions/endpoints'),
  'entry/user-ties': () => import('@/lib/entry/user-ties/endpoints'),
  'oidc/application-sessions': () => import('@/lib/oidc/application-sessions/endpoints'),
  'oidc/applications-of-users': () => import('@/lib/oidc/applications-of-users/endpoints'),
  'oidc/applications': () => import('@/lib/oidc/applications/endpoints'),
  'oidc/clients': () => import('@/lib/oidc/clients/endpoints'),
  'oidc/consents': () => import('@/lib/oidc/consents/endpoints'),
  'oidc/trials': () => import('@/lib/oidc/trials/endpoints'),
  'operations/configuration': () => import('@/lib/operations/configuration/endpoints'),
  'operations/diagnostics': () => import('@/lib/operations/diagnostics/endpoints'),
  'operations/events': () => import('@/lib/operations/events/endpoints'),
  'operations/failed-work': () => import('@/lib/operations/failed-work/endpoints'),
  'operations/history': () => import('@/lib/operations/history/endpoints'),
  'operations/license': () => import('@/lib/operations/license/endpoints'),
  'operations/monitoring': () => import('@/lib/operations/monitoring/endpoints'),
  'operations/own-history': () => import('@/lib/operations/own-history/endpoints'),
  'people/access-requests': () => import('@/lib/people/access-requests/endpoints'),
  'people/colleagues': () => import('@/lib/people/colleagues/endpoints'),
  'people/contacts': () => import('@/lib/people/contacts/endpoints'),
  'people/contractors': () => import('@/lib/people/contractors/endpoints'),
  'people/dynamic-fields': () => import('@/lib/people/dynamic-fields/endpoints'),
  'people/field-pictures': () => import('@/lib/people/field-pictures/endpoints'),
  'people/field-tabs': () => import('@/lib/people/field-tabs/endpoints'),
  'people/notify-methods': () => import('@/lib/people/notify-methods/endpoints'),
  'people/organizations': () => import('@/lib/people/organizations/endpoints'),
  'people/provider-mappers': () => import('@/lib/people/provider-mappers/endpoints'),
  'people/providers': () => import('@/lib/people/providers/endpoints'),
  'people/public-settings': () => import('@/lib/people/public-settings/endpoints'),
  'people/role-holders': () => import('@/lib/people/role-holders/endpoints'),
  'people/roles': () => import('@/lib/people/roles/endpoints'),
  'people/settings': () => import('@/lib/people/settings/endpoints'),
  'people/user-administration': () => import('@/lib/people/user-administration/endpoints'),
  'platform/access-lists': () => import('@/lib/platform/access-lists/endpoints'),
  'platform/applications': () => import('@/lib/platform/applications/endpoints'),
  'platform/banners': () => import('@/lib/platform/banners/endpoints'),
  'platform/device-types': () => import('@/lib/platform/device-types/endpoints'),
  'platform/documents': () => import('@/lib/platform/documents/endpoints'),
  'platform/domains': () => import('@/lib/platform/domains/endpoints'),
  'platform/locale-texts': () => import('@/lib/platform/locale-texts/endpoints'),
  'platform/locales': () => import('@/lib/platform/locales/endpoints'),
  'platform/menu': () => import('@/lib/platform/menu/endpoints'),
  'platform/message-texts': () => import('@/lib/platform/message-texts/endpoints'),
  'platform/network-aliases': () => import('@/lib/platform/network-aliases/endpoints'),
  'platform/pictures': () => import('@/lib/platform/pictures/endpoints'),
  'platform/project-info': () => import('@/lib/platform/project-info/endpoints'),
  'platform/start-up': () => import('@/lib/platform/start-up/endpoints'),
  'platform/test-messages': () => import('@/lib/platform/test-messages/endpoints'),
  'platform/webhooks': () => import('@/lib/platform/webhooks/endpoints'),
  'profile/agreements': () => import('@/lib/profile/agreements/endpoints'),
  'profile/avatar': () => import('@/lib/profile/avatar/endpoints'),
  'profile/companies': () => import('@/lib/profile/companies/endpoints'),
  'profile/contacts': () => import('@/lib/profile/contacts/endpoints'),
  'profile/deletion': () => import('@/lib/profile/deletion/endpoints'),
  'profile/device': () => import('@/lib/profile/device/endpoints'),
  'profile/live': () => import('@/lib/profile/live/endpoints'),
  'profile/news': () => import('@/lib/profile/news/endpoints'),
  'profile/notices': () => import('@/lib/profile/notices/endpoints'),
  'profile/password': () => import('@/lib/profile/password/endpoints'),
  'profile/personal': () => import('@/lib/profile/personal/endpoints'),
  'profile/subscriptions': () => import('@/lib/profile/subscriptions/endpoints'),
  'profile/user-settings': () => import('@/lib/profile/user-settings/endpoints'),
} as const
