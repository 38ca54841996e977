// Made by npm run generate.
import type { Entity } from '@/lib/kernel/record/entity'
import { addressLimitsEntity } from '@/lib/entry/address-limits/entity'
import { schemaEntity } from '@/lib/entry/authentication-schemas/entity'
import { acceptanceExportEntity } from '@/lib/entry/document-campaigns/entity'
import { integrationSyncEntity } from '@/lib/entry/integration/entity'
import { invitationEntity } from '@/lib/entry/invitations/entity'
import { providerSyncEntity } from '@/lib/entry/provider-sync/entity'
import { sessionEntity } from '@/lib/entry/user-sessions/entity'
import { clientEntity } from '@/lib/oidc/clients/entity'
import { consentEntity } from '@/lib/oidc/consents/entity'
import { configurationEntity } from '@/lib/operations/configuration/entity'
import { eventEntity } from '@/lib/operations/events/entity'
import { jobEntity } from '@/lib/operations/failed-work/entity'
import { historyExportEntity } from '@/lib/operations/history/entity'
import { licenseEntity } from '@/lib/operations/license/entity'
import { monitoringExportEntity } from '@/lib/operations/monitoring/entity'
import { accessRequestEntity } from '@/lib/people/access-requests/entity'
import { contractorEntity } from '@/lib/people/contractors/entity'
import { dynamicFieldTabEntity, dynamicFieldSubtypeEntity, dynamicFieldEntity } from '@/lib/people/dynamic-fields/entity'
import { notifyMethodEntity } from '@/lib/people/notify-methods/entity'
import { organizationEntity } from '@/lib/people/organizations/entity'
import { providerMapperEntity } from '@/lib/people/provider-mappers/entity'
import { providerEntity } from '@/lib/people/providers/entity'
import { roleEntity } from '@/lib/people/roles/entity'
import { userExportEntity } from '@/lib/people/user-administration/entity'
import { userEntity } from '@/lib/people/users/entity'
import { accessListEntity, refusalEntity } from '@/lib/platform/access-lists/entity'
import { applicationEntity } from '@/lib/platform/applications/entity'
import { bannerEntity } from '@/lib/platform/banners/entity'
import { deviceTypeEntity } from '@/lib/platform/device-types/entity'
import { documentEntity } from '@/lib/platform/documents/entity'
import { domainEntity } from '@/lib/platform/domains/entity'
import { localeEntity } from '@/lib/platform/locales/entity'
import { networkAliasEntity } from '@/lib/platform/network-aliases/entity'
import { messageEntity } from '@/lib/platform/sender/entity'
import { settingEntity } from '@/lib/platform/settings/entity'
import { webhookEntity } from '@/lib/platform/webhooks/entity'
import { newsEntity } from '@/lib/profile/news/entity'

/** Everything whose changes are recorded. */
export const entities: readonly Entity[] = [
  addressLimitsEntity,
  schemaEntity,
  acceptanceExportEntity,
  integrationSyncEntity,
  invitationEntity,
  providerSyncEntity,
  sessionEntity,
  clientEntity,
  consentEntity,
  configurationEntity,
  eventEntity,
  jobEntity,
  historyExportEntity,
  licenseEntity,
  monitoringExportEntity,
  accessRequestEntity,
  contractorEntity,
  dynamicFieldTabEntity,
  dynamicFieldSubtypeEntity,
  dynamicFieldEntity,
  notifyMethodEntity,
  organizationEntity,
  providerMapperEntity,
  providerEntity,
  roleEntity,
  userExportEntity,
  userEntity,
  accessListEntity,
  refusalEntity,
  applicationEntity,
  bannerEntity,
  deviceTypeEntity,
  documentEntity,
  domainEntity,
  localeEntity,
  networkAliasEntity,
  messageEntity,
  settingEntity,
  webhookEntity,
  newsEntity,
]
