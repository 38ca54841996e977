import { randomInt, randomUUID } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { applications } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { env } from '@/lib/base/runtime/env'
import { createClient } from '@/lib/openid/clients/service'
import {
  getDiagnosticsStatus,
  getUpdateStatus,
  listFindings,
  listVersions,
  refreshVersions,
} from '@/lib/operations/diagnostics/contract'
import { version } from '@/package.json'
import { administrator, clientInput, newApplication } from '../../factories/applications'
import { proof, provenIn } from '../../factories/proofs'

export default [
  proof(listVersions, {
    prepare: async () => {
      const name = randomUUID()
      return { name, ...(await newApplication({ name })) }
    },
    input: ({ name }) => ({ query: { filter: { application: name } } }),
    shows: ({ id, name }) => ({ versions: [{ id, application: name, status: 'unknown' }], meta: { total: 1 } }),
  }),
  provenIn(refreshVersions, ['operations/diagnostics.test.ts']),
  proof(listFindings, {
    prepare: async () => {
      const [{ id: applicationId }, clientId] = [await newApplication(), randomUUID()]
      const client = { ...clientInput, applicationId, clientId, pkceRequired: false }
      await createClient(await administrator(), { ...client, authMethod: 'client_secret_basic' })
      return { clientId }
    },
    input: () => ({}),
    shows: ({ clientId }) => ({
      findings: expect.arrayContaining([
        expect.objectContaining({ code: 'clientsWithoutPkce', names: expect.arrayContaining([clientId]) }),
      ]),
    }),
  }),
  proof(getDiagnosticsStatus, {
    prepare: async () => {
      await newApplication()
      dropCached('diagnostics')
      const applicationsThere = await db().$count(
        applications,
        and(eq(applications.enabled, true), ne(applications.code, 'platform')),
      )
      // the platform’s four parts, and the keys
      return { count: applicationsThere + 5 }
    },
    input: () => ({}),
    shows: ({ count }) => ({ count }),
  }),
  proof(getUpdateStatus, {
    prepare: async () => {
      const recommendVersion = `99.${randomInt(1_000_000)}`
      env().RECOMMENDED_VERSIONS = { platform: recommendVersion }
      return { recommendVersion }
    },
    input: () => ({}),
    shows: ({ recommendVersion }) => ({ status: 'error', version, recommendVersion }),
  }),
]
