import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, userContractors } from '@/db/schema'
import { Browser } from '../../factories/browser'
import { accountOf, look, mailsTo, rolesOf, rowOf } from '../../factories/invitation-calls'
import { invite } from '../../factories/invitations'
import { finish, startRegistration } from '../../factories/registration'
import { signedInStatus } from '../../factories/sign-in'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

test('a person who registers while invited gets what the invitation grants, and its link is used up', async () => {
  const invited = await invite()
  const other = await invite()
  const browser = new Browser()
  const { secret } = await startRegistration(browser, invited.email)
  expect((await rowOf(invited)).status).toBe('active')
  expect(await finish(browser, secret)).toMatchObject({ status: 200, body: { next: 'done' } })
  expect(await signedInStatus(browser)).toBe(200)

  const userId = (await accountOf(invited.email))?.id ?? ''
  expect(await rowOf(invited)).toMatchObject({ status: 'autoSuccess', userId, finishedAt: expect.any(Date) })
  const joined = await db().select().from(userContractors).where(eq(userContractors.userId, userId))
  expect(joined.map(({ contractorId }) => contractorId)).toEqual([invited.contractor.id])
  expect(await rolesOf(userId)).toMatchObject([
    { contractorId: invited.contractor.id, organizationId: invited.organization.id, roleId: invited.role.id },
  ])
  const changes = await db()
    .select()
    .from(history)
    .where(and(eq(history.entityId, invited.id), eq(history.type, 'update')))
  expect(changes).toMatchObject([{ field: 'status', previous: 'active', current: 'autoSuccess', changerId: userId }])
  expect(await mailsTo(invited.master.user.email, 'invitationAccepted')).toBe(1)
  expect(await look(browser, invited.guid)).toMatchObject({ status: 400, body: { code: 'used' } })
  // an invitation of somebody else isn't accepted
  expect(await rowOf(other)).toMatchObject({ status: 'active', userId: null })
})
