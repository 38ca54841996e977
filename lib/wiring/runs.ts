import { importRows } from '@/lib/account-administration/user-import/work'
import type { ReadClient } from '@/lib/base/runs/client'
import type { RunKinds } from '@/lib/base/runs/work'
import { syncRows } from '@/lib/directory-sync/provider-sync/work'
import { remindRows } from '@/lib/documents/document-campaigns/work'
import { integrationRows } from '@/lib/exchanges/exchanges/work'
import { inviteRows } from '@/lib/joining/invitation-import/work'

/** The provider is loaded for runs of clients alone. */
const clientNow: ReadClient = async (...given) =>
  (await import('@/lib/openid/service-accounts/service')).serviceAccountOfRun(...given)

/** What the worker does with the rows of each kind of run. Names are stored, so names never change. */
export const runKinds: RunKinds = {
  invitations: inviteRows,
  users: (run) => importRows(clientNow, run),
  'document-reminders': remindRows,
  providers: syncRows,
  integration: integrationRows,
}
