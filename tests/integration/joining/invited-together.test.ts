import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db, type Transaction } from '@/db/client'
import { history, invitations, messages, runs } from '@/db/schema'
import type { BatchRow } from '@/lib/base/batch-jobs/store'
import { messageContent } from '@/lib/base/mail-and-sms/send-message'
import { env } from '@/lib/base/runtime/env'
import { batchKinds } from '@/lib/wiring/runs'
import { manager } from '../../factories/access-requests'
import {
  type Company,
  createContractor,
  createContractorRole,
  join,
  newEmail,
  plantInvitation,
} from '../../factories/companies'
import { caseNumbers } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { eachFifth } from '../../setup/scope'

// Inviting many people with few statements against inviting them one after another (docs/rules/invitations.md#by-a-list).

useTestDatabase()

const random = caseNumbers(20_261_124)
const any = <T>(of: readonly T[]): T => of[random(of.length)] as T

/** A manager of two companies of three, and people of every kind that a list may name. */
async function plant() {
  const [ownCompany, second, foreign] = [await createContractor(2), await createContractor(), await createContractor()]
  const master = await manager(ownCompany)
  const role = await createContractorRole()
  await join(second, master.id, [(await createContractorRole(['masterAccountAccess'])).id])
  const members = [await createUser(), await createUser()]
  for (const one of members) await join(ownCompany, one.id, [role.id])
  const strangers = [await createUser({ firstName: 'Вера' }), await createUser()]
  const open = await plantInvitation({ contractorId: ownCompany.contractor.id, inviterId: master.id })
  const over = await plantInvitation({ contractorId: ownCompany.contractor.id, inviterId: master.id })
  await db()
    .update(invitations)
    .set({ expiresAt: new Date(Date.now() - 60_000) })
    .where(eq(invitations.email, over.email))
  const strong = await createContractorRole(['users.write'])
  const emails = [...members, ...strangers].map(({ email }) => email ?? '')
  return {
    master,
    companies: [ownCompany, ownCompany, ownCompany, second, foreign],
    roles: [role, role, role, strong],
    emails: [...emails, open.email, over.email],
  }
}
type World = Awaited<ReturnType<typeof plant>>

/** Rows as the check would let them through, and others that became wrong after it. */
const rowsOf = ({ companies, roles, emails }: World, runId: string): BatchRow[] =>
  Array.from({ length: 40 }, (_, n) => {
    const company: Company = any(companies)
    const place = (random(4) > 0 ? company : any(companies)).organization.id
    const email = random(2) === 0 ? any(emails) : any([newEmail(), newEmail(), `same.${random(4)}@polaris.example`])
    const access = [{ organizationId: place, roles: [any(roles).id] }]
    const input = { email, contractorId: company.contractor.id, access }
    return { runId, row: n + 1, state: 'waiting', title: email, input, fault: null, params: null, tries: 0 }
  })

class Undone extends Error {}

/** Does it, tells what it wrote, and takes it back. */
async function written(work: (tx: Transaction) => Promise<unknown>) {
  let outcome: unknown
  await db()
    .transaction(async (tx) => {
      const before = (await tx.select({ id: messages.id }).from(messages)).map(({ id }) => id)
      const { rows } = await tx.execute<{ last: string }>(sql`select coalesce(max(id), 0) as last from history`)
      const faults = await work(tx)
      const made = await tx.select().from(invitations)
      const named = new Map(made.map(({ id, email, contractorId }) => [id, `${email} ${contractorId}`]))
      const recorded = await tx
        .select()
        .from(history)
        .where(sql`id > ${rows[0]?.last ?? 0}`)
        .orderBy(history.id)
      const mails = (await tx.select().from(messages)).filter(({ id }) => !before.includes(id))
      const jobs = await tx.execute<{ id: string; priority: number; tries: number }>(sql`
        select payload->>'id' as id, priority, max_attempts as tries from graphile_worker._private_jobs
        where payload->>'id' = any(${sql.param(mails.map(({ id }) => id))}::text[])`)
      const grants = await tx.execute<{ id: string; pair: string }>(sql`
        select invitation_id as id, organization_id || ' ' || role_id as pair from invitation_roles order by 2`)
      const notices = await tx.execute(sql`select user_id, kind from notices order by 1, 2`)
      outcome = {
        faults,
        invitations: made
          .map(({ id, idHash: _, sentAt: __, expiresAt: ___, createdAt: ____, updatedAt: _____, ...row }) => ({
            ...row,
            roles: grants.rows.flatMap((one) => (one.id === id ? [one.pair] : [])),
          }))
          .toSorted((a, b) =>
            `${a.email} ${a.contractorId} ${a.status}` < `${b.email} ${b.contractorId} ${b.status}` ? -1 : 1,
          ),
        history: recorded
          .map(({ type, entityId, field, current, changerId }) =>
            JSON.stringify([named.get(entityId), type, field, field === 'expiresAt' ? null : current, changerId]),
          )
          .toSorted(),
        mails: mails
          .map(({ recipient, userId, template, locale, ...row }) => {
            const job = jobs.rows.find(({ id }) => id === row.id)
            const { text } = messageContent(row)
            return JSON.stringify([
              recipient,
              userId,
              template,
              locale,
              job?.priority,
              job?.tries,
              text.replace(/invitation\/\S+/g, ''),
            ])
          })
          .toSorted(),
        notices: notices.rows,
      }
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  return outcome as { faults: [number, string][]; invitations: unknown[] }
}

test.each(eachFifth([1, 2, 3, 4]))(
  'many invited together get what each gets alone: results, rows, history, mails (%s)',
  async () => {
    const world = await plant()
    const options = { host: new URL(env().PUBLIC_URL).host, locale: 'ru', ip: '192.0.2.7', requestId: 'list' }
    const [run] = await db()
      .insert(runs)
      .values({ kind: 'invitations', userId: world.master.id, options, total: 40, done: 0, failed: 0 })
      .returning()
    const rows = rowsOf(world, run?.id ?? randomUUID())
    const batchKind = await batchKinds.invitations?.(run as NonNullable<typeof run>)
    if (typeof batchKind !== 'object' || !batchKind.processBatch) throw new Error('invitations are not sent together')
    const { processRow, processBatch } = batchKind
    const codeOf = (error: unknown) => {
      const { code, data } = error as { code: string; data: { errorList?: { code: string }[] } }
      return code === 'errorFields' ? (data.errorList?.[0]?.code ?? code) : code
    }
    const alone = await written(async (tx) => {
      const faults: [number, string][] = []
      for (const row of rows)
        await tx
          .transaction((inner) => processRow(inner, row))
          .catch((error: unknown) => faults.push([row.row, codeOf(error)]))
      return faults
    })
    const together = await written(async (tx) =>
      [...(await processBatch(tx, rows)).faults]
        .map(([row, fault]) => [row, codeOf(fault)])
        .toSorted(([a], [b]) => Number(a) - Number(b)),
    )
    expect(together).toEqual(alone)
    // some were sent and some were not
    expect(alone.faults.length).toBeGreaterThan(5)
    expect(alone.faults.length).toBeLessThan(35)
  },
)
