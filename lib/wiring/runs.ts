import { importRows } from '@/lib/account-administration/user-import/import-rows'
import type { ReadClient } from '@/lib/base/batch-jobs/client'
import type { BatchKinds } from '@/lib/base/batch-jobs/process-rows'
import { syncRows } from '@/lib/directory-sync/provider-sync/sync-rows'
import { remindRows } from '@/lib/documents/document-campaigns/remind-rows'
import { integrationRows } from '@/lib/exchanges/exchanges/exchange-rows'
import { inviteRows } from '@/lib/joining/invitation-import/import-rows'

/** The provider is loaded for runs of clients alone. */
const clientNow: ReadClient = async (...given) =>
  (await import('@/lib/openid/service-accounts/service')).serviceAccountOfRun(...given)

/** What the worker does with the rows of each kind of run. Names are stored, so names never change. */
export const batchKinds: BatchKinds = {
  invitations: inviteRows,
  users: (run) => importRows(clientNow, run),
  'document-reminders': remindRows,
  providers: syncRows,
  integration: integrationRows,
}
