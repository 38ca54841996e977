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
import * as oidcServiceAccounts from '@/lib/oidc/service-accounts/contract'
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
import * as peopleProfileFields from '@/lib/people/profile-fields/contract'
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

/** The exports of every contract.ts. */
export const modules: readonly Record<string, unknown>[] = [
  entryAddressLimits,
  entryAgreements,
  entryAuthenticationSchemas,
  entryDocumentCampaigns,
  entryIntegrationJournal,
  entryIntegration,
  entryInvitationImport,
  entryInvitations,
  entryOwnInvitations,
  entryPasswords,
  entryProviderSignIn,
  entryProviderSync,
  entryRegistration,
  entrySentInvitations,
  entrySessionsOfUsers,
  entrySignInLog,
  entrySignInReport,
  entrySignIn,
  entryUserHelp,
  entryUserImport,
  entryUserMerge,
  entryUserPreview,
  entryUserSessions,
  entryUserTies,
  oidcApplicationSessions,
  oidcApplicationsOfUsers,
  oidcApplications,
  oidcClients,
  oidcConsents,
  oidcServiceAccounts,
  oidcTrials,
  operationsConfiguration,
  operationsDiagnostics,
  operationsEvents,
  operationsFailedWork,
  operationsHistory,
  operationsLicense,
  operationsMonitoring,
  operationsOwnHistory,
  peopleAccessRequests,
  peopleColleagues,
  peopleContacts,
  peopleContractors,
  peopleDynamicFields,
  peopleFieldPictures,
  peopleFieldTabs,
  peopleNotifyMethods,
  peopleOrganizations,
  peopleProfileFields,
  peopleProviderMappers,
  peopleProviders,
  peoplePublicSettings,
  peopleRoleHolders,
  peopleRoles,
  peopleSettings,
  peopleUserAdministration,
  platformAccessLists,
  platformApplications,
  platformBanners,
  platformDeviceTypes,
  platformDocuments,
  platformDomains,
  platformLocaleTexts,
  platformLocales,
  platformMenu,
  platformMessageTexts,
  platformNetworkAliases,
  platformPictures,
  platformProjectInfo,
  platformStartUp,
  platformTestMessages,
  platformWebhooks,
  profileAgreements,
  profileAvatar,
  profileCompanies,
  profileContacts,
  profileDeletion,
  profileDevice,
  profileLive,
  profileNews,
  profileNotices,
  profilePassword,
  profilePersonal,
  profileSubscriptions,
  profileUserSettings,
]
