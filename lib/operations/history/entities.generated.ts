// Made by npm run generate.
import type { Entity } from '@/lib/base/audit/entity'
import { roleEntity } from '@/lib/access/roles/entity'
import { userExportEntity } from '@/lib/accounts/administration/entity'
import { userEntity } from '@/lib/accounts/users/entity'
import { applicationEntity } from '@/lib/applications/applications/entity'
import { webhookEntity } from '@/lib/applications/webhooks/entity'
import { accessRequestEntity } from '@/lib/companies/access-requests/entity'
import { contractorEntity } from '@/lib/companies/contractors/entity'
import { organizationEntity } from '@/lib/companies/organizations/entity'
import { providerMapperEntity } from '@/lib/directory-sync/provider-mappers/entity'
import { providerSyncEntity } from '@/lib/directory-sync/provider-sync/entity'
import { providerEntity } from '@/lib/directory-sync/providers/entity'
import { acceptanceExportEntity } from '@/lib/documents/document-campaigns/entity'
import { documentEntity } from '@/lib/documents/documents/entity'
import { integrationSyncEntity } from '@/lib/exchanges/exchanges/entity'
import { dynamicFieldTabEntity, dynamicFieldSubtypeEntity, dynamicFieldEntity } from '@/lib/fields/dynamic-fields/entity'
import { invitationEntity } from '@/lib/joining/invitations/entity'
import { notifyMethodEntity } from '@/lib/messaging/channels/entity'
import { messageEntity } from '@/lib/messaging/sender/entity'
import { accessListEntity, refusalEntity } from '@/lib/network/access-lists/entity'
import { networkAliasEntity } from '@/lib/network/network-aliases/entity'
import { newsEntity } from '@/lib/news/news/entity'
import { clientEntity } from '@/lib/openid/clients/entity'
import { consentEntity } from '@/lib/openid/consents/entity'
import { addressLimitsEntity } from '@/lib/operations/address-limits/entity'
import { configurationEntity } from '@/lib/operations/configuration-file/entity'
import { jobEntity } from '@/lib/operations/failed-work/entity'
import { historyExportEntity } from '@/lib/operations/history/entity'
import { licenseEntity } from '@/lib/operations/license/entity'
import { monitoringExportEntity } from '@/lib/operations/monitoring/entity'
import { eventEntity } from '@/lib/operations/undelivered-events/entity'
import { schemaEntity } from '@/lib/sign-in/schema-administration/entity'
import { sessionEntity } from '@/lib/sign-in/sessions/entity'
import { bannerEntity } from '@/lib/site/banners/entity'
import { deviceTypeEntity } from '@/lib/site/device-types/entity'
import { domainEntity } from '@/lib/site/domains/entity'
import { localeEntity } from '@/lib/site/locales/entity'
import { settingEntity } from '@/lib/site/settings/entity'

/** Everything whose changes are recorded. */
export const entities: readonly Entity[] = [
  roleEntity,
  userExportEntity,
  userEntity,
  applicationEntity,
  webhookEntity,
  accessRequestEntity,
  contractorEntity,
  organizationEntity,
  providerMapperEntity,
  providerSyncEntity,
  providerEntity,
  acceptanceExportEntity,
  documentEntity,
  integrationSyncEntity,
  dynamicFieldTabEntity,
  dynamicFieldSubtypeEntity,
  dynamicFieldEntity,
  invitationEntity,
  notifyMethodEntity,
  messageEntity,
  accessListEntity,
  refusalEntity,
  networkAliasEntity,
  newsEntity,
  clientEntity,
  consentEntity,
  addressLimitsEntity,
  configurationEntity,
  jobEntity,
  historyExportEntity,
  licenseEntity,
  monitoringExportEntity,
  eventEntity,
  schemaEntity,
  sessionEntity,
  bannerEntity,
  deviceTypeEntity,
  domainEntity,
  localeEntity,
  settingEntity,
]
