import { spawnSync } from 'node:child_process'
import { and, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history } from '@/db/schema/operations'
import { roles, userContractorRoles, userRoles } from '@/db/schema/people'
import { applicationId } from '@/lib/applications/applications/service'
import { createContractor, join } from '../../factories/companies'
import { plantRole, shippedRole } from '../../factories/roles'
import { createUser } from '../../factories/users'
import { bundled } from '../../setup/bundled'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** Runs the command as the shell does; returns its status and what it prints. */
function grant(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bundled('bin/platform.ts'), 'role', 'grant', ...args],
    {
      encoding: 'utf8',
      env: process.env,
    },
  )
  return { status, printed: `${stdout}${stderr}` }
}

describe('platform role grant', () => {
  test('gives a role by its code, records it, and refuses what does not exist', async () => {
    const user = await createUser({ roles: [] })
    const support = await shippedRole('support')
    expect(grant(user.login.toUpperCase(), 'support')).toMatchObject({ status: 0 })
    expect(await db().select().from(userRoles).where(eq(userRoles.userId, user.id))).toMatchObject([
      { roleId: support, organizationId: null },
    ])
    const recorded = await db()
      .select()
      .from(history)
      .where(and(eq(history.entity, 'users'), eq(history.entityId, user.id), eq(history.field, 'roles')))
    expect(recorded).toMatchObject([{ previous: [], current: [support], changerId: await applicationId('platform') }])

    for (const wrong of [['nobody', 'support'], [user.login, 'no-such-role'], [user.login]]) {
      const { status, printed } = grant(...wrong)
      expect(status, printed).not.toBe(0)
    }
    expect(await db().select().from(userRoles).where(eq(userRoles.userId, user.id))).toHaveLength(1)
  }, 60_000)

  test('gives a contractor role in its place only', async () => {
    const user = await createUser({ roles: [] })
    const company = await createContractor()
    const { id } = await plantRole([], 'contractor')
    const place = ['--organization', company.organization.id, '--contractor', company.contractor.id]
    expect(grant(user.login, id, ...place).status).not.toBe(0)
    await join(company, user.id, [])
    expect(grant(user.login, id).status).not.toBe(0)
    expect(grant(user.login, id, ...place)).toMatchObject({ status: 0 })
    expect(await db().select().from(userContractorRoles).where(eq(userContractorRoles.userId, user.id))).toMatchObject([
      { roleId: id, organizationId: company.organization.id, contractorId: company.contractor.id },
    ])
    expect(await db().select().from(roles).where(eq(roles.id, id))).toHaveLength(1)
  }, 60_000)
})
