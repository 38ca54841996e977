// Made by npm run generate.
import * as accessRoles from '@/lib/access/roles/contract'
import * as accountAdministrationAccounts from '@/lib/account-administration/accounts/contract'
import * as accountAdministrationCardLinks from '@/lib/account-administration/card-links/contract'
import * as accountAdministrationUserFactors from '@/lib/account-administration/user-factors/contract'
import * as accountAdministrationUserImport from '@/lib/account-administration/user-import/contract'
import * as accountAdministrationUserMerge from '@/lib/account-administration/user-merge/contract'
import * as accountAdministrationUserPreview from '@/lib/account-administration/user-preview/contract'
import * as accountsAdministration from '@/lib/accounts/administration/contract'
import * as accountsPeopleSearch from '@/lib/accounts/people-search/contract'
import * as accountsRoleHolders from '@/lib/accounts/role-holders/contract'
import * as applicationsApplications from '@/lib/applications/applications/contract'
import * as applicationsMenu from '@/lib/applications/menu/contract'
import * as applicationsStartUp from '@/lib/applications/start-up/contract'
import * as applicationsWebhooks from '@/lib/applications/webhooks/contract'
import * as companiesAccessRequests from '@/lib/companies/access-requests/contract'
import * as companiesColleagues from '@/lib/companies/colleagues/contract'
import * as companiesContractors from '@/lib/companies/contractors/contract'
import * as companiesOrganizations from '@/lib/companies/organizations/contract'
import * as companiesOwnCompanies from '@/lib/companies/own-companies/contract'
import * as directorySyncProviderMappers from '@/lib/directory-sync/provider-mappers/contract'
import * as directorySyncProviderSignIn from '@/lib/directory-sync/provider-sign-in/contract'
import * as directorySyncProviderSync from '@/lib/directory-sync/provider-sync/contract'
import * as directorySyncProviders from '@/lib/directory-sync/providers/contract'
import * as documentsDocumentCampaigns from '@/lib/documents/document-campaigns/contract'
import * as documentsDocuments from '@/lib/documents/documents/contract'
import * as exchangesExchangeJournal from '@/lib/exchanges/exchange-journal/contract'
import * as exchangesExchanges from '@/lib/exchanges/exchanges/contract'
import * as fieldsDynamicFields from '@/lib/fields/dynamic-fields/contract'
import * as fieldsFieldPictures from '@/lib/fields/field-pictures/contract'
import * as fieldsFieldTabs from '@/lib/fields/field-tabs/contract'
import * as joiningInvitationImport from '@/lib/joining/invitation-import/contract'
import * as joiningInvitations from '@/lib/joining/invitations/contract'
import * as joiningReceivedInvitations from '@/lib/joining/received-invitations/contract'
import * as joiningRegistration from '@/lib/joining/registration/contract'
import * as joiningSentInvitations from '@/lib/joining/sent-invitations/contract'
import * as messagingChannels from '@/lib/messaging/channels/contract'
import * as messagingLocaleTexts from '@/lib/messaging/locale-texts/contract'
import * as messagingMessageTexts from '@/lib/messaging/message-texts/contract'
import * as messagingTestMessages from '@/lib/messaging/test-messages/contract'
import * as myAccountAgreements from '@/lib/my-account/agreements/contract'
import * as myAccountAvatar from '@/lib/my-account/avatar/contract'
import * as myAccountContactDetails from '@/lib/my-account/contact-details/contract'
import * as myAccountDeletion from '@/lib/my-account/deletion/contract'
import * as myAccountDevice from '@/lib/my-account/device/contract'
import * as myAccountFactors from '@/lib/my-account/factors/contract'
import * as myAccountLive from '@/lib/my-account/live/contract'
import * as myAccountPasskeys from '@/lib/my-account/passkeys/contract'
import * as myAccountPassword from '@/lib/my-account/password/contract'
import * as myAccountPersonal from '@/lib/my-account/personal/contract'
import * as myAccountSettings from '@/lib/my-account/settings/contract'
import * as myAccountSubscriptions from '@/lib/my-account/subscriptions/contract'
import * as networkAccessLists from '@/lib/network/access-lists/contract'
import * as networkNetworkAliases from '@/lib/network/network-aliases/contract'
import * as newsNews from '@/lib/news/news/contract'
import * as newsNotifications from '@/lib/news/notifications/contract'
import * as openidApplicationSessions from '@/lib/openid/application-sessions/contract'
import * as openidApplicationsOfUsers from '@/lib/openid/applications-of-users/contract'
import * as openidApplications from '@/lib/openid/applications/contract'
import * as openidClients from '@/lib/openid/clients/contract'
import * as openidConsents from '@/lib/openid/consents/contract'
import * as openidTrials from '@/lib/openid/trials/contract'
import * as operationsAccountLimits from '@/lib/operations/account-limits/contract'
import * as operationsAddressLimits from '@/lib/operations/address-limits/contract'
import * as operationsConfigurationFile from '@/lib/operations/configuration-file/contract'
import * as operationsDiagnostics from '@/lib/operations/diagnostics/contract'
import * as operationsFailedWork from '@/lib/operations/failed-work/contract'
import * as operationsHistory from '@/lib/operations/history/contract'
import * as operationsLicense from '@/lib/operations/license/contract'
import * as operationsMonitoring from '@/lib/operations/monitoring/contract'
import * as operationsOwnHistory from '@/lib/operations/own-history/contract'
import * as operationsPublicSettings from '@/lib/operations/public-settings/contract'
import * as operationsSettingsScreen from '@/lib/operations/settings-screen/contract'
import * as operationsUndeliveredEvents from '@/lib/operations/undelivered-events/contract'
import * as signInAgreements from '@/lib/sign-in/agreements/contract'
import * as signInAttempts from '@/lib/sign-in/attempts/contract'
import * as signInNotMe from '@/lib/sign-in/not-me/contract'
import * as signInOwnSessions from '@/lib/sign-in/own-sessions/contract'
import * as signInPasswords from '@/lib/sign-in/passwords/contract'
import * as signInSchemaAdministration from '@/lib/sign-in/schema-administration/contract'
import * as signInSessionsOfUsers from '@/lib/sign-in/sessions-of-users/contract'
import * as signInSignInLog from '@/lib/sign-in/sign-in-log/contract'
import * as siteBanners from '@/lib/site/banners/contract'
import * as siteDeviceTypes from '@/lib/site/device-types/contract'
import * as siteDomains from '@/lib/site/domains/contract'
import * as siteLocales from '@/lib/site/locales/contract'
import * as sitePictures from '@/lib/site/pictures/contract'
import * as siteProjectInfo from '@/lib/site/project-info/contract'

/** The exports of every contract.ts by its slice. */
export const modules = {
  'access/roles': accessRoles,
  'account-administration/accounts': accountAdministrationAccounts,
  'account-administration/card-links': accountAdministrationCardLinks,
  'account-administration/user-factors': accountAdministrationUserFactors,
  'account-administration/user-import': accountAdministrationUserImport,
  'account-administration/user-merge': accountAdministrationUserMerge,
  'account-administration/user-preview': accountAdministrationUserPreview,
  'accounts/administration': accountsAdministration,
  'accounts/people-search': accountsPeopleSearch,
  'accounts/role-holders': accountsRoleHolders,
  'applications/applications': applicationsApplications,
  'applications/menu': applicationsMenu,
  'applications/start-up': applicationsStartUp,
  'applications/webhooks': applicationsWebhooks,
  'companies/access-requests': companiesAccessRequests,
  'companies/colleagues': companiesColleagues,
  'companies/contractors': companiesContractors,
  'companies/organizations': companiesOrganizations,
  'companies/own-companies': companiesOwnCompanies,
  'directory-sync/provider-mappers': directorySyncProviderMappers,
  'directory-sync/provider-sign-in': directorySyncProviderSignIn,
  'directory-sync/provider-sync': directorySyncProviderSync,
  'directory-sync/providers': directorySyncProviders,
  'documents/document-campaigns': documentsDocumentCampaigns,
  'documents/documents': documentsDocuments,
  'exchanges/exchange-journal': exchangesExchangeJournal,
  'exchanges/exchanges': exchangesExchanges,
  'fields/dynamic-fields': fieldsDynamicFields,
  'fields/field-pictures': fieldsFieldPictures,
  'fields/field-tabs': fieldsFieldTabs,
  'joining/invitation-import': joiningInvitationImport,
  'joining/invitations': joiningInvitations,
  'joining/received-invitations': joiningReceivedInvitations,
  'joining/registration': joiningRegistration,
  'joining/sent-invitations': joiningSentInvitations,
  'messaging/channels': messagingChannels,
  'messaging/locale-texts': messagingLocaleTexts,
  'messaging/message-texts': messagingMessageTexts,
  'messaging/test-messages': messagingTestMessages,
  'my-account/agreements': myAccountAgreements,
  'my-account/avatar': myAccountAvatar,
  'my-account/contact-details': myAccountContactDetails,
  'my-account/deletion': myAccountDeletion,
  'my-account/device': myAccountDevice,
  'my-account/factors': myAccountFactors,
  'my-account/live': myAccountLive,
  'my-account/passkeys': myAccountPasskeys,
  'my-account/password': myAccountPassword,
  'my-account/personal': myAccountPersonal,
  'my-account/settings': myAccountSettings,
  'my-account/subscriptions': myAccountSubscriptions,
  'network/access-lists': networkAccessLists,
  'network/network-aliases': networkNetworkAliases,
  'news/news': newsNews,
  'news/notifications': newsNotifications,
  'openid/application-sessions': openidApplicationSessions,
  'openid/applications-of-users': openidApplicationsOfUsers,
  'openid/applications': openidApplications,
  'openid/clients': openidClients,
  'openid/consents': openidConsents,
  'openid/trials': openidTrials,
  'operations/account-limits': operationsAccountLimits,
  'operations/address-limits': operationsAddressLimits,
  'operations/configuration-file': operationsConfigurationFile,
  'operations/diagnostics': operationsDiagnostics,
  'operations/failed-work': operationsFailedWork,
  'operations/history': operationsHistory,
  'operations/license': operationsLicense,
  'operations/monitoring': operationsMonitoring,
  'operations/own-history': operationsOwnHistory,
  'operations/public-settings': operationsPublicSettings,
  'operations/settings-screen': operationsSettingsScreen,
  'operations/undelivered-events': operationsUndeliveredEvents,
  'sign-in/agreements': signInAgreements,
  'sign-in/attempts': signInAttempts,
  'sign-in/not-me': signInNotMe,
  'sign-in/own-sessions': signInOwnSessions,
  'sign-in/passwords': signInPasswords,
  'sign-in/schema-administration': signInSchemaAdministration,
  'sign-in/sessions-of-users': signInSessionsOfUsers,
  'sign-in/sign-in-log': signInSignInLog,
  'site/banners': siteBanners,
  'site/device-types': siteDeviceTypes,
  'site/domains': siteDomains,
  'site/locales': siteLocales,
  'site/pictures': sitePictures,
  'site/project-info': siteProjectInfo,
} as const

/** Loads the endpoints of a slice. */
export const endpointsOf = {
  'access/roles': () => import('@/lib/access/roles/endpoints'),
  'account-administration/accounts': () => import('@/lib/account-administration/accounts/endpoints'),
  'account-administration/card-links': () => import('@/lib/account-administration/card-links/endpoints'),
  'account-administration/user-factors': () => import('@/lib/account-administration/user-factors/endpoints'),
  'account-administration/user-import': () => import('@/lib/account-administration/user-import/endpoints'),
  'account-administration/user-merge': () => import('@/lib/account-administration/user-merge/endpoints'),
  'account-administration/user-preview': () => import('@/lib/account-administration/user-preview/endpoints'),
  'accounts/administration': () => import('@/lib/accounts/administration/endpoints'),
  'accounts/people-search': () => import('@/lib/accounts/people-search/endpoints'),
  'accounts/role-holders': () => import('@/lib/accounts/role-holders/endpoints'),
  'applications/applications': () => import('@/lib/applications/applications/endpoints'),
  'applications/menu': () => import('@/lib/applications/menu/endpoints'),
  'applications/start-up': () => import('@/lib/applications/start-up/endpoints'),
  'applications/webhooks': () => import('@/lib/applications/webhooks/endpoints'),
  'companies/access-requests': () => import('@/lib/companies/access-requests/endpoints'),
  'companies/colleagues': () => import('@/lib/companies/colleagues/endpoints'),
  'companies/contractors': () => import('@/lib/companies/contractors/endpoints'),
  'companies/organizations': () => import('@/lib/companies/organizations/endpoints'),
  'companies/own-companies': () => import('@/lib/companies/own-companies/endpoints'),
  'directory-sync/provider-mappers': () => import('@/lib/directory-sync/provider-mappers/endpoints'),
  'directory-sync/provider-sign-in': () => import('@/lib/directory-sync/provider-sign-in/endpoints'),
  'directory-sync/provider-sync': () => import('@/lib/directory-sync/provider-sync/endpoints'),
  'directory-sync/providers': () => import('@/lib/directory-sync/providers/endpoints'),
  'documents/document-campaigns': () => import('@/lib/documents/document-campaigns/endpoints'),
  'documents/documents': () => import('@/lib/documents/documents/endpoints'),
  'exchanges/exchange-journal': () => import('@/lib/exchanges/exchange-journal/endpoints'),
  'exchanges/exchanges': () => import('@/lib/exchanges/exchanges/endpoints'),
  'fields/dynamic-fields': () => import('@/lib/fields/dynamic-fields/endpoints'),
  'fields/field-pictures': () => import('@/lib/fields/field-pictures/endpoints'),
  'fields/field-tabs': () => import('@/lib/fields/field-tabs/endpoints'),
  'joining/invitation-import': () => import('@/lib/joining/invitation-import/endpoints'),
  'joining/invitations': () => import('@/lib/joining/invitations/endpoints'),
  'joining/received-invitations': () => import('@/lib/joining/received-invitations/endpoints'),
  'joining/registration': () => import('@/lib/joining/registration/endpoints'),
  'joining/sent-invitations': () => import('@/lib/joining/sent-invitations/endpoints'),
  'messaging/channels': () => import('@/lib/messaging/channels/endpoints'),
  'messaging/locale-texts': () => import('@/lib/messaging/locale-texts/endpoints'),
  'messaging/message-texts': () => import('@/lib/messaging/message-texts/endpoints'),
  'messaging/test-messages': () => import('@/lib/messaging/test-messages/endpoints'),
  'my-account/agreements': () => import('@/lib/my-account/agreements/endpoints'),
  'my-account/avatar': () => import('@/lib/my-account/avatar/endpoints'),
  'my-account/contact-details': () => import('@/lib/my-account/contact-details/endpoints'),
  'my-account/deletion': () => import('@/lib/my-account/deletion/endpoints'),
  'my-account/device': () => import('@/lib/my-account/device/endpoints'),
  'my-account/factors': () => import('@/lib/my-account/factors/endpoints'),
  'my-account/live': () => import('@/lib/my-account/live/endpoints'),
  'my-account/passkeys': () => import('@/lib/my-account/passkeys/endpoints'),
  'my-account/password': () => import('@/lib/my-account/password/endpoints'),
  'my-account/personal': () => import('@/lib/my-account/personal/endpoints'),
  'my-account/settings': () => import('@/lib/my-account/settings/endpoints'),
  'my-account/subscriptions': () => import('@/lib/my-account/subscriptions/endpoints'),
  'network/access-lists': () => import('@/lib/network/access-lists/endpoints'),
  'network/network-aliases': () => import('@/lib/network/network-aliases/endpoints'),
  'news/news': () => import('@/lib/news/news/endpoints'),
  'news/notifications': () => import('@/lib/news/notifications/endpoints'),
  'openid/application-sessions': () => import('@/lib/openid/application-sessions/endpoints'),
  'openid/applications-of-users': () => import('@/lib/openid/applications-of-users/endpoints'),
  'openid/applications': () => import('@/lib/openid/applications/endpoints'),
  'openid/clients': () => import('@/lib/openid/clients/endpoints'),
  'openid/consents': () => import('@/lib/openid/consents/endpoints'),
  'openid/trials': () => import('@/lib/openid/trials/endpoints'),
  'operations/account-limits': () => import('@/lib/operations/account-limits/endpoints'),
  'operations/address-limits': () => import('@/lib/operations/address-limits/endpoints'),
  'operations/configuration-file': () => import('@/lib/operations/configuration-file/endpoints'),
  'operations/diagnostics': () => import('@/lib/operations/diagnostics/endpoints'),
  'operations/failed-work': () => import('@/lib/operations/failed-work/endpoints'),
  'operations/history': () => import('@/lib/operations/history/endpoints'),
  'operations/license': () => import('@/lib/operations/license/endpoints'),
  'operations/monitoring': () => import('@/lib/operations/monitoring/endpoints'),
  'operations/own-history': () => import('@/lib/operations/own-history/endpoints'),
  'operations/public-settings': () => import('@/lib/operations/public-settings/endpoints'),
  'operations/settings-screen': () => import('@/lib/operations/settings-screen/endpoints'),
  'operations/undelivered-events': () => import('@/lib/operations/undelivered-events/endpoints'),
  'sign-in/agreements': () => import('@/lib/sign-in/agreements/endpoints'),
  'sign-in/attempts': () => import('@/lib/sign-in/attempts/endpoints'),
  'sign-in/not-me': () => import('@/lib/sign-in/not-me/endpoints'),
  'sign-in/own-sessions': () => import('@/lib/sign-in/own-sessions/endpoints'),
  'sign-in/passwords': () => import('@/lib/sign-in/passwords/endpoints'),
  'sign-in/schema-administration': () => import('@/lib/sign-in/schema-administration/endpoints'),
  'sign-in/sessions-of-users': () => import('@/lib/sign-in/sessions-of-users/endpoints'),
  'sign-in/sign-in-log': () => import('@/lib/sign-in/sign-in-log/endpoints'),
  'site/banners': () => import('@/lib/site/banners/endpoints'),
  'site/device-types': () => import('@/lib/site/device-types/endpoints'),
  'site/domains': () => import('@/lib/site/domains/endpoints'),
  'site/locales': () => import('@/lib/site/locales/endpoints'),
  'site/pictures': () => import('@/lib/site/pictures/endpoints'),
  'site/project-info': () => import('@/lib/site/project-info/endpoints'),
} as const
