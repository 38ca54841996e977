import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { applications, monitoringChecks } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import {
  exportMonitoring,
  getMonitoringStatus,
  listMonitoredApplications,
  listMonitoring,
  readCheckHistory,
  refreshMonitoring,
} from '@/lib/operations/monitoring/contract'
import { newApplication } from '../../factories/applications'
import { first } from '../../factories/platform'
import { proof, provenIn } from '../../factories/proofs'

/** A check of an application of its own. */
async function checkedApplication() {
  const { id: made } = await newApplication()
  const application = first(await db().select().from(applications).where(eq(applications.id, made)))
  const key = `application:${application.code}`
  const row = first(
    await db()
      .insert(monitoringChecks)
      .values({ key, kind: 'application', critical: 1, name: application.name, applicationId: application.id })
      .returning(),
  )
  return { application, key, id: row.id }
}

export default [
  proof(listMonitoring, {
    prepare: checkedApplication,
    input: ({ application }) => ({ query: { filter: { applications: [application.id] } } }),
    shows: ({ id, key }) => ({ data: [{ id, key, status: 'up', bars: expect.any(Array) }], meta: { total: 1 } }),
  }),
  proof(readCheckHistory, {
    prepare: checkedApplication,
    input: ({ id }) => ({ params: { id }, query: { hours: 168 } }),
    shows: ({ key }) => ({ key, parts: expect.arrayContaining([expect.objectContaining({ checks: 0 })]) }),
  }),
  proof(listMonitoredApplications, {
    prepare: checkedApplication,
    input: () => ({}),
    shows: ({ application: { id } }) => ({
      applications: expect.arrayContaining([expect.objectContaining({ id })]),
    }),
  }),
  proof(getMonitoringStatus, {
    prepare: async () => {
      await checkedApplication()
      dropCached('monitoring')
      return { count: await db().$count(monitoringChecks) }
    },
    input: () => ({}),
    shows: ({ count }) => ({ status: 'success', count, errorCount: 0 }),
  }),
  provenIn(refreshMonitoring, ['operations/monitoring.test.ts']),
  provenIn(exportMonitoring, ['operations/monitoring.test.ts']),
]
