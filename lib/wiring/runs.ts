import { importRows } from '@/lib/account-administration/user-import/import-rows'
import type { ReadClient } from '@/lib/base/batch-jobs/client'
import type { BatchKinds } from '@/lib/base/batch-jobs/process-rows'
import { syncRows } from '@/lib/directory-sync/provider-sync/sync-rows'
import { remindRows } from '@/lib/documents/document-campaigns/remind-rows'
import { integrationRows } from '@/lib/exchanges/exchanges/exchange-rows'
import { inviteRows } from '@/lib/joining/invitation-import/import-rows'

/** Loads the OpenID Provider only for batch jobs of service accounts. */
const readClient: ReadClient = async (...args) =>
  (await import('@/lib/openid/service-accounts/service')).serviceAccountOfRun(...args)

/** The functions that process the rows of each kind of batch job. The names are stored, so they never change. */
export const batchKinds: BatchKinds = {
  invitations: inviteRows,
  users: (job) => importRows(readClient, job),
  'document-reminders': remindRows,
  providers: syncRows,
  integration: integrationRows,
}
