import { randomUUID } from 'node:crypto'
import { eq, max } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { historySeals, roles, userRoles } from '@/db/schema'
import { refreshRights } from '@/lib/access/rights/service'
import { applicationEntity } from '@/lib/applications/applications/entity'
import type { Area } from '@/lib/base/access/access-methods'
import { auditEvent } from '@/lib/base/audit/audit'
import {
  exportHistory,
  listHistory,
  listHistoryTypes,
  searchChangers,
  streamHistory,
} from '@/lib/operations/history/contract'
import { extendHistoryChain } from '@/lib/operations/history-chain/seal'
import { createRoleWith } from '../../factories/access'
import type { Caller } from '../../factories/caller'
import { contextOf } from '../../factories/invitations'
import { first } from '../../factories/platform'
import { proof, provenIn } from '../../factories/proofs'

/** Gives the caller a role with the right to read an area. */
async function mayRead({ browser }: Caller, area: Area) {
  const ctx = await contextOf(browser)
  const code = await createRoleWith([`${area}.read`])
  const role = first(await db().select().from(roles).where(eq(roles.code, code)))
  const userId = ctx.user?.id ?? ''
  const announce = await db().transaction(async (tx) => {
    await tx.insert(userRoles).values({ userId, roleId: role.id })
    return refreshRights(tx, ctx, { people: [userId] })
  })
  await announce()
  return ctx
}

/** Somebody's act on an object. The caller may read its area too: whoever may read the history alone sees nobody. */
async function acted(caller: Caller) {
  const [id, changerId] = [randomUUID(), randomUUID()]
  const ctx = await mayRead(caller, 'applications')
  await db().transaction((tx) => auditEvent(tx, ctx, applicationEntity, id, 'update', null, { changerId }))
  return { id, changerId }
}

const more: Area[] = ['device-types', 'network-aliases']

export default [
  proof(searchChangers, {
    prepare: acted,
    input: ({ id }) => ({ query: { entity: 'applications' as const, id } }),
    shows: ({ changerId }) => ({ changers: [{ id: changerId, name: changerId }] }),
  }),
  proof(listHistory, {
    prepare: acted,
    input: ({ id }) => ({ query: { filter: { search: id } } }),
    shows: ({ id, changerId }) => ({
      data: [{ entity: 'applications', entityId: id, type: 'update', changer: { id: changerId, name: changerId } }],
    }),
  }),
  proof(streamHistory, {
    prepare: async (caller) => {
      await extendHistoryChain()
      const [newest] = await db()
        .select({ seq: max(historySeals.seq) })
        .from(historySeals)
      const made = await acted(caller)
      await extendHistoryChain()
      return { ...made, after: `${newest?.seq ?? 0}.9999` }
    },
    input: ({ after }) => ({ query: { meta: { after } } }),
    shows: ({ id }) => ({
      data: expect.arrayContaining([expect.objectContaining({ entity: 'applications', entityId: id })]),
    }),
  }),
  provenIn(exportHistory, ['operations/history-export.test.ts']),
  proof(listHistoryTypes, {
    prepare: async (caller) => {
      const area = more.shift() ?? 'roles'
      await mayRead(caller, area)
      return area
    },
    input: () => ({}),
    shows: (area) => ({
      types: ['create', 'update', 'delete', 'login'],
      entities: expect.arrayContaining([{ entity: area, fields: expect.arrayContaining(['name']), subtypes: [] }]),
    }),
  }),
]
