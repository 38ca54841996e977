import { remindRows } from '@/lib/entry/document-campaigns/work'
import { integrationRows } from '@/lib/entry/integration/work'
import { inviteRows } from '@/lib/entry/invitation-import/work'
import { syncRows } from '@/lib/entry/provider-sync/work'
import { importRows } from '@/lib/entry/user-import/work'
import type { ReadClient } from '@/lib/kernel/runs/client'
import type { RunKinds } from '@/lib/kernel/runs/work'

/** The provider is loaded for runs of clients alone. */
const clientNow: ReadClient = async (...given) =>
  (await import('@/lib/oidc/service-accounts/service')).serviceAccountOfRun(...given)

/** What the worker does with the rows of each kind of run. Names are stored, so names never change. */
export const runKinds: RunKinds = {
  invitations: inviteRows,
  users: (run) => importRows(clientNow, run),
  'document-reminders': remindRows,
  providers: syncRows,
  integration: integrationRows,
}
