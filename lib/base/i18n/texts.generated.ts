// Made by npm run generate.
import type accessListsTexts from '@/messages/ru/access-lists.json'
import type accessRequestsTexts from '@/messages/ru/access-requests.json'
import type accountTexts from '@/messages/ru/account.json'
import type addressLimitsTexts from '@/messages/ru/address-limits.json'
import type administrationTexts from '@/messages/ru/administration.json'
import type agreementsTexts from '@/messages/ru/agreements.json'
import type applicationSessionsTexts from '@/messages/ru/application-sessions.json'
import type applicationsTexts from '@/messages/ru/applications.json'
import type authenticationSchemasTexts from '@/messages/ru/authentication-schemas.json'
import type bannersTexts from '@/messages/ru/banners.json'
import type blacklistTexts from '@/messages/ru/blacklist.json'
import type casesOfTextsTexts from '@/messages/ru/cases-of-texts.json'
import type clientTrialTexts from '@/messages/ru/client-trial.json'
import type clientsTexts from '@/messages/ru/clients.json'
import type commonTexts from '@/messages/ru/common.json'
import type companiesTexts from '@/messages/ru/companies.json'
import type configurationTexts from '@/messages/ru/configuration.json'
import type consentTexts from '@/messages/ru/consent.json'
import type contactsTexts from '@/messages/ru/contacts.json'
import type contractorsTexts from '@/messages/ru/contractors.json'
import type deviceFlowTexts from '@/messages/ru/device-flow.json'
import type deviceTypesTexts from '@/messages/ru/device-types.json'
import type diagnosticsTexts from '@/messages/ru/diagnostics.json'
import type documentCampaignsTexts from '@/messages/ru/document-campaigns.json'
import type documentsTexts from '@/messages/ru/documents.json'
import type domainsTexts from '@/messages/ru/domains.json'
import type dynamicFieldsTexts from '@/messages/ru/dynamic-fields.json'
import type entryTexts from '@/messages/ru/entry.json'
import type errorsTexts from '@/messages/ru/errors.json'
import type failureTexts from '@/messages/ru/failure.json'
import type galleryTexts from '@/messages/ru/gallery.json'
import type historyTexts from '@/messages/ru/history.json'
import type integrationJournalTexts from '@/messages/ru/integration-journal.json'
import type integrationTexts from '@/messages/ru/integration.json'
import type invitationImportTexts from '@/messages/ru/invitation-import.json'
import type invitationTexts from '@/messages/ru/invitation.json'
import type invitationsTexts from '@/messages/ru/invitations.json'
import type lawTexts from '@/messages/ru/law.json'
import type licenseTexts from '@/messages/ru/license.json'
import type localeTextsTexts from '@/messages/ru/locale-texts.json'
import type localesTexts from '@/messages/ru/locales.json'
import type messageTextsTexts from '@/messages/ru/message-texts.json'
import type monitoringTexts from '@/messages/ru/monitoring.json'
import type networkAliasesTexts from '@/messages/ru/network-aliases.json'
import type newsTexts from '@/messages/ru/news.json'
import type notFoundTexts from '@/messages/ru/not-found.json'
import type noticesTexts from '@/messages/ru/notices.json'
import type notifyMethodsTexts from '@/messages/ru/notify-methods.json'
import type oidcTexts from '@/messages/ru/oidc.json'
import type organizationsTexts from '@/messages/ru/organizations.json'
import type outageTexts from '@/messages/ru/outage.json'
import type outboxTexts from '@/messages/ru/outbox.json'
import type overviewTexts from '@/messages/ru/overview.json'
import type personTexts from '@/messages/ru/person.json'
import type platformTexts from '@/messages/ru/platform.json'
import type profileTexts from '@/messages/ru/profile.json'
import type providerMappersTexts from '@/messages/ru/provider-mappers.json'
import type providerSignInTexts from '@/messages/ru/provider-sign-in.json'
import type providerSyncTexts from '@/messages/ru/provider-sync.json'
import type providersTexts from '@/messages/ru/providers.json'
import type recoveryTexts from '@/messages/ru/recovery.json'
import type refusalTexts from '@/messages/ru/refusal.json'
import type registrationTexts from '@/messages/ru/registration.json'
import type requisitesTexts from '@/messages/ru/requisites.json'
import type rolesTexts from '@/messages/ru/roles.json'
import type runsTexts from '@/messages/ru/runs.json'
import type searchEnginesTexts from '@/messages/ru/search-engines.json'
import type sessionsTexts from '@/messages/ru/sessions.json'
import type settingsTexts from '@/messages/ru/settings.json'
import type shellTexts from '@/messages/ru/shell.json'
import type signInReportTexts from '@/messages/ru/sign-in-report.json'
import type signInsTexts from '@/messages/ru/sign-ins.json'
import type snackbarTexts from '@/messages/ru/snackbar.json'
import type subscriptionsTexts from '@/messages/ru/subscriptions.json'
import type uiTexts from '@/messages/ru/ui.json'
import type unknownLinkTexts from '@/messages/ru/unknown-link.json'
import type userApplicationsTexts from '@/messages/ru/user-applications.json'
import type userImportTexts from '@/messages/ru/user-import.json'
import type usersTexts from '@/messages/ru/users.json'
import type webhooksTexts from '@/messages/ru/webhooks.json'
import type whitelistTexts from '@/messages/ru/whitelist.json'
import type wholeHistoryTexts from '@/messages/ru/whole-history.json'

/** The texts against which keys are type-checked. */
export type Texts =
  typeof accessListsTexts &
  typeof accessRequestsTexts &
  typeof accountTexts &
  typeof addressLimitsTexts &
  typeof administrationTexts &
  typeof agreementsTexts &
  typeof applicationSessionsTexts &
  typeof applicationsTexts &
  typeof authenticationSchemasTexts &
  typeof bannersTexts &
  typeof blacklistTexts &
  typeof casesOfTextsTexts &
  typeof clientTrialTexts &
  typeof clientsTexts &
  typeof commonTexts &
  typeof companiesTexts &
  typeof configurationTexts &
  typeof consentTexts &
  typeof contactsTexts &
  typeof contractorsTexts &
  typeof deviceFlowTexts &
  typeof deviceTypesTexts &
  typeof diagnosticsTexts &
  typeof documentCampaignsTexts &
  typeof documentsTexts &
  typeof domainsTexts &
  typeof dynamicFieldsTexts &
  typeof entryTexts &
  typeof errorsTexts &
  typeof failureTexts &
  typeof galleryTexts &
  typeof historyTexts &
  typeof integrationJournalTexts &
  typeof integrationTexts &
  typeof invitationImportTexts &
  typeof invitationTexts &
  typeof invitationsTexts &
  typeof lawTexts &
  typeof licenseTexts &
  typeof localeTextsTexts &
  typeof localesTexts &
  typeof messageTextsTexts &
  typeof monitoringTexts &
  typeof networkAliasesTexts &
  typeof newsTexts &
  typeof notFoundTexts &
  typeof noticesTexts &
  typeof notifyMethodsTexts &
  typeof oidcTexts &
  typeof organizationsTexts &
  typeof outageTexts &
  typeof outboxTexts &
  typeof overviewTexts &
  typeof personTexts &
  typeof platformTexts &
  typeof profileTexts &
  typeof providerMappersTexts &
  typeof providerSignInTexts &
  typeof providerSyncTexts &
  typeof providersTexts &
  typeof recoveryTexts &
  typeof refusalTexts &
  typeof registrationTexts &
  typeof requisitesTexts &
  typeof rolesTexts &
  typeof runsTexts &
  typeof searchEnginesTexts &
  typeof sessionsTexts &
  typeof settingsTexts &
  typeof shellTexts &
  typeof signInReportTexts &
  typeof signInsTexts &
  typeof snackbarTexts &
  typeof subscriptionsTexts &
  typeof uiTexts &
  typeof unknownLinkTexts &
  typeof userApplicationsTexts &
  typeof userImportTexts &
  typeof usersTexts &
  typeof webhooksTexts &
  typeof whitelistTexts &
  typeof wholeHistoryTexts
