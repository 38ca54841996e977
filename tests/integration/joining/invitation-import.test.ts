import { and, eq, inArray, sql } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import {
  invitationRoles,
  invitations,
  messages,
  organizations,
  roles,
  runRows,
  runs,
  userContractorRoles,
  users,
} from '@/db/schema'
import { processRows } from '@/lib/base/batch-jobs/process-rows'
import * as calls from '@/lib/joining/invitation-import/contract'
import { columns as parsedColumns, parseInvitations } from '@/lib/joining/invitation-import/parse'
import { readInvitationImportFaults } from '@/lib/joining/invitation-import/service'
import { createInvitation } from '@/lib/joining/sent-invitations/contract'
import { batchKinds } from '@/lib/wiring/runs'
import en from '@/messages/en/invitation-import.json'
import ru from '@/messages/ru/invitation-import.json'
import { manager } from '../../factories/access-requests'
import { thirty } from '../../factories/at-once'
import type { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join, newEmail } from '../../factories/companies'
import { caseNumbers } from '../../factories/random-cases'
import { handlerOf } from '../../factories/routes'
import { createUser } from '../../factories/users'
import { startWorker } from '../../factories/worker-process'
import { useTestDatabase } from '../../setup/database'
import { rounds } from '../../setup/scope'

const POST = handlerOf(calls.checkInvitationImport)

useTestDatabase()

const running = new Set<Awaited<ReturnType<typeof startWorker>>>()
afterEach(async () => {
  for (const worker of running) await worker.end('SIGKILL')
  running.clear()
})

/** A manager of one company, and a role that they may give there. */
async function scene() {
  const company = await createContractor()
  return { company, ...(await manager(company)), role: await createContractorRole() }
}
type Scene = Awaited<ReturnType<typeof scene>>

const given = ({ company, role }: Scene) => ({
  contractorId: company.contractor.id,
  access: [{ organizationId: company.organization.id, roles: [role.id] }],
})
const asked = (caller: Caller, text: string, more: object = {}) =>
  caller.send(calls.checkInvitationImport, { body: { text, ...more } }, POST)
const check = (caller: Caller, text: string, more: object = {}) =>
  caller.call(calls.checkInvitationImport, { body: { text, ...more } })
const start = async (caller: Caller, text: string, more: object = {}) =>
  (await caller.call(calls.startInvitationImport, { body: { text, ...more } })).id
/** Does the rows as the worker does, however many jobs that takes. */
async function work(id: string) {
  for (let job = 0; job < 60; job++) {
    await processRows(batchKinds, id)
    const [run] = await db().select({ state: runs.state }).from(runs).where(eq(runs.id, id))
    if (run?.state !== 'running') return
  }
}
const table = (...rows: string[][]) =>
  [['email', 'inn', 'kpp', 'organization', 'roles'], ...rows]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'))
    .join('\r\n')
const sentTo = (emails: string[]) => db().$count(invitations, inArray(invitations.email, emails))
const faultOf = async (caller: Caller, row: string[], more: object = {}) => {
  const { good, faults } = await check(caller, table(row), more)
  return good === 1 ? null : `${faults[0]?.column} ${faults[0]?.code}`
}

describe('the check of a list', () => {
  test('names the fault of each row, and stores and sends nothing', async () => {
    const ownScene = await scene()
    const { caller, company, role } = ownScene
    const [inn, place] = [company.contractor.inn ?? '', company.organization.name]
    const strong = await createContractorRole(['users.write'])
    const systemic = await createContractorRole([], 'systemic')
    const off = await createContractorRole()
    await db().update(roles).set({ enabled: false }).where(eq(roles.id, off.id))
    const foreign = await createContractor()
    const closed = await createContractor(2)
    const member = await createUser()
    await join(company, member.id, [])
    const active = newEmail()
    await caller.call(createInvitation, { body: { email: active, ...given(ownScene) } })
    const before = [await db().$count(invitations), await db().$count(messages), await db().$count(runs)]
    const fine = newEmail()
    const cases: [string[], string | null][] = [
      [[fine, inn, '', place, role.name], null],
      [[fine, inn, '', place.toUpperCase(), ` ${role.name.toLowerCase()} `], null],
      [[fine, inn, '', company.organization.nameEn ?? '', role.nameEn ?? ''], null],
      // the company has one organization
      [[fine, inn, '', '', role.name], null],
      [['', inn, '', place, role.name], 'email errorEmpty'],
      [['nobody@', inn, '', place, role.name], 'email errorEmail'],
      [['two@x.example, three@x.example', inn, '', place, role.name], 'email errorEmail'],
      [[fine, '', '', place, role.name], 'inn errorEmpty'],
      [[fine, '', '770101001', place, role.name], 'inn errorEmpty'],
      [[fine, inn, '770101001', place, role.name], 'kpp importContractor'],
      // a company of others and one that doesn't exist are one to the person
      [[fine, foreign.contractor.inn ?? '', '', foreign.organization.name, role.name], 'inn importContractor'],
      [[fine, '0000000000', '', place, role.name], 'inn importContractor'],
      [[fine, inn, '', closed.organization.name, role.name], 'organization importOrganization'],
      [[fine, inn, '', place, ''], 'roles errorEmpty'],
      [[fine, inn, '', '', ''], 'roles errorEmpty'],
      [[fine, inn, '', place, 'Нет такой'], 'roles importRole'],
      [[fine, inn, '', place, systemic.name], 'roles importRole'],
      [[fine, inn, '', place, off.name], 'roles importRole'],
      [[fine, inn, '', place, `${role.name}, ${strong.name}`], 'roles importRoleBeyond'],
      [[active.toUpperCase(), inn, '', place, role.name], 'email invitationActive'],
      [[member.email ?? '', inn, '', place, role.name], 'email contractorMember'],
      [[fine, inn, '', place, 'x'.repeat(1_001)], 'roles errorTooLong'],
    ]
    for (const [row, fault] of cases) expect([row, await faultOf(caller, row)]).toEqual([row, fault])
    expect([await db().$count(invitations), await db().$count(messages), await db().$count(runs)]).toEqual(before)
  })

  test('gives rows that say nothing what was chosen, and counts repeated people', async () => {
    const ownScene = await scene()
    const [one, two] = [newEmail(), newEmail()]
    const { contractorId, access } = given(ownScene)
    // however often it was chosen
    const often = access.map(({ organizationId, roles }) => ({ organizationId, roles: Array(100).fill(roles[0]) }))
    const preview = await check(ownScene.caller, `${one}\n${two}\n\n${one.toUpperCase()}\n`, {
      contractorId,
      access: Array(200).fill(often[0]),
    })
    expect(preview).toMatchObject({
      total: 3,
      good: 2,
      faults: [{ row: 4, code: 'importRepeated', params: { row: 1 } }],
    })
    expect(preview.invitations[1]).toEqual({
      row: 2,
      email: two,
      contractor: ownScene.company.contractor.name,
      access: [{ organization: ownScene.company.organization.name, roles: [ownScene.role.name] }],
    })
  })

  test('refuses a choice as a single invitation does', async () => {
    const ownScene = await scene()
    const { caller } = ownScene
    const strong = await createContractorRole(['users.write'])
    const foreign = await createContractor()
    const refused = async (more: object) => {
      const { status, body } = await asked(caller, newEmail(), { ...given(ownScene), ...more })
      const single = await caller.send(createInvitation, { body: { ...given(ownScene), ...more, email: newEmail() } })
      expect({ status: single.status, code: single.body.code, data: single.body.data }).toEqual({
        status,
        code: body.code,
        data: body.data,
      })
      const { errorList = [] } = body.data as { errorList?: { code: string }[] }
      return [status, body.code, errorList[0]?.code]
    }
    const place = ownScene.company.organization.id
    expect(await refused({ contractorId: foreign.contractor.id })).toEqual([404, 'notFound', undefined])
    const beyond = { access: [{ organizationId: place, roles: [strong.id] }] }
    expect(await refused(beyond)).toEqual([403, 'forbiddenRole', 'forbiddenRole'])
    const elsewhere = { access: [{ organizationId: foreign.organization.id, roles: [ownScene.role.id] }] }
    expect(await refused(elsewhere)).toEqual([400, 'errorFields', 'errorOrganization'])
    const unknown = { access: [{ organizationId: place, roles: [ownScene.company.organization.id] }] }
    expect(await refused(unknown)).toEqual([400, 'errorFields', 'errorRole'])
  })

  test.each([
    ['', 'importEmpty', { row: 1 }],
    ['name;phone', 'importNoEmail', { row: 1 }],
    ['email\n"open', 'importQuotes', { row: 2 }],
    [Array.from({ length: 5_001 }, (_, at) => `a${at}@polaris.example`).join('\n'), 'importTooMany', { max: 5_000 }],
  ])('refuses a list that can’t be read or is too long: %#', async (text, code, params) => {
    const { caller } = await scene()
    const { status, body } = await asked(caller, text)
    expect([status, body.data]).toEqual([400, { errorList: [{ field: 'text', code, params }] }])
  })

  test('agrees with single invitations about every mix of companies, places, roles and people', async () => {
    const ownScene = await scene()
    const { caller, company } = ownScene
    const [second, foreign] = [await createContractor(2), await createContractor()]
    await join(second, ownScene.id, [ownScene.role.id])
    const strong = await createContractorRole(['users.write'])
    const systemic = await createContractorRole([], 'systemic')
    const off = await createContractor()
    await join(off, ownScene.id, [(await createContractorRole(['masterAccountAccess'])).id])
    await db().update(organizations).set({ enabled: false }).where(eq(organizations.id, off.organization.id))
    const companies = [company, company, second, foreign, off]
    const allRoles = [ownScene.role, ownScene.role, strong, systemic, ownScene.role]
    const random = caseNumbers(68)
    const pick = <T>(list: readonly T[]) => list[random(list.length)] as T
    const members = await Promise.all(Array.from({ length: 12 }, () => createUser()))
    for (const member of members) await join(company, member.id, [])
    const emails = [...members.map(({ email }) => email ?? ''), ...Array.from({ length: rounds(68) }, newEmail)]
    const rows = emails.map((email) => {
      const to = pick(companies)
      return { to, place: pick([to, to, ...companies]).organization, role: pick(allRoles), email }
    })
    const text = table(
      ...rows.map(({ to, place, role, email }) => [email, to.contractor.inn ?? '', '', place.name, role.name]),
    )
    const { faults, good } = await check(caller, text)
    expect(good + faults.length).toBe(rows.length)
    for (const [at, { to, place, role, email }] of rows.entries()) {
      const fault = faults.find(({ row }) => row === at + 2)
      const access = [{ organizationId: place.id, roles: [role.id] }]
      const single = await caller.send(createInvitation, { body: { email, contractorId: to.contractor.id, access } })
      expect([single.status === 200, single.body], JSON.stringify(fault)).toEqual([fault === undefined, single.body])
    }
  })

  test('is limited for each person, also when the list can’t be read', async () => {
    const [ownScene, other] = [await scene(), await scene()]
    const asking = ({ caller }: Scene) => caller.send(calls.checkInvitationImport, { body: { text: 'nothing' } })
    for (let time = 0; time < 60; time++) expect((await asking(ownScene)).status).toBe(400)
    expect(await asking(ownScene)).toMatchObject({ status: 429, body: { code: 'tooManyAttempts' } })
    expect((await asking(other)).status).toBe(400)
  })
})

describe('a run of invitations', () => {
  test('sends each good row as a single invitation does, and keeps the wrong ones with their cells', async () => {
    const ownScene = await scene()
    const { caller, company, role } = ownScene
    const inn = company.contractor.inn ?? ''
    const [good, late] = [newEmail(), newEmail()]
    const formula = '=HYPERLINK("http://evil.example")'
    const text = table(
      [good, inn, '', company.organization.name, role.name],
      [formula, inn, '', '', '@x'],
      [late, inn, '', '', role.name],
    )
    const id = await start(caller, text)
    // between the check and the row somebody else invites
    await caller.call(createInvitation, { body: { email: late, ...given(ownScene) } })
    await work(id)
    const { run, faults } = await caller.call(calls.readInvitationImport, { params: { id } })
    expect(run).toMatchObject({ state: 'done', total: 3, done: 1, failed: 2 })
    expect(faults.map(({ row, code }) => [row, code])).toEqual([
      [3, 'errorEmail'],
      [4, 'invitationActive'],
    ])
    const [row] = await db().select().from(invitations).where(eq(invitations.email, good))
    expect(row).toMatchObject({ contractorId: company.contractor.id, inviterId: ownScene.id, status: 'active' })
    const invitedRoles = await db()
      .select()
      .from(invitationRoles)
      .where(eq(invitationRoles.invitationId, row?.id ?? ''))
    expect(invitedRoles).toMatchObject([{ organizationId: company.organization.id, roleId: role.id }])
    expect(await sentTo([late])).toBe(1)

    let file = ''
    const { chunks } = await caller.serve((ctx) => readInvitationImportFaults(ctx, { params: { id } }))
    for await (const chunk of chunks) file += chunk
    const lines = file.split('\r\n')
    expect(lines[0]).toBe('\ufeffстрока;почта;ИНН;КПП;организация;роли;ошибка')
    expect(lines[1]).toContain(`3;"'=HYPERLINK(""http://evil.example"")";${inn};;;"'@x";`)
    expect(lines[2]).toContain(`4;${late};${inn};;;${role.name};Этого человека сюда уже пригласили`)
    expect(lines).toHaveLength(4)
    // under the names of the reader's language it can be mended and handed in again
    for (const names of [ru, en]) {
      const { columns } = names['invitation-import']
      const head = [columns.row, ...parsedColumns.map((name) => columns[name]), columns.error]
      const again = parseInvitations([head.join(';'), ...lines.slice(1)].join('\r\n'))
      const mended = 'rows' in again ? again.rows.map(({ cells: { email, inn } }) => [email, inn]) : again.fault
      expect(mended).toContainEqual([late, inn])
    }
  })

  test('its mails give way to those that people wait for', async () => {
    const ownScene = await scene()
    const [one, many] = [newEmail(), newEmail()]
    await work(await start(ownScene.caller, many, given(ownScene)))
    await ownScene.caller.call(createInvitation, { body: { email: one, ...given(ownScene) } })
    const priorityOf = async (email: string) => {
      const { rows } = await db().execute<{ priority: number }>(sql`
        select j.priority from graphile_worker.jobs j
        join messages m on j.key = 'message:' || m.id where m.recipient = ${email}`)
      return rows.map(({ priority }) => priority)
    }
    expect([await priorityOf(one), await priorityOf(many)]).toEqual([[0], [10]])
  })

  test('sends nothing more for somebody who has lost the company, and stops for a disabled account', async () => {
    const [ownScene, other] = [await scene(), await scene()]
    const emails = Array.from({ length: 4 }, newEmail)
    const id = await start(ownScene.caller, emails.slice(0, 2).join('\n'), given(ownScene))
    await db().delete(userContractorRoles).where(eq(userContractorRoles.userId, ownScene.id))
    await work(id)
    const rows = await db().select({ fault: runRows.fault }).from(runRows).where(eq(runRows.runId, id))
    expect(rows).toEqual([{ fault: 'importContractor' }, { fault: 'importContractor' }])

    const second = await start(other.caller, emails.slice(2).join('\n'), given(other))
    await db().update(users).set({ enabled: false }).where(eq(users.id, other.id))
    await work(second)
    const [run] = await db().select().from(runs).where(eq(runs.id, second))
    expect(run).toMatchObject({ state: 'stopped', fault: 'importStarter', done: 0, failed: 0 })
    expect(await sentTo(emails)).toBe(0)
    await db().update(users).set({ enabled: true }).where(eq(users.id, other.id))
    await other.caller.call(calls.resumeInvitationImport, { params: { id: second } })
    await work(second)
    expect(await sentTo(emails)).toBe(2)
  })

  test('gives no role with a method that the person has lost meanwhile', async () => {
    const company = await createContractor()
    const { caller, id: userId } = await manager(company)
    const strong = await createContractorRole(['users.write'])
    const strongRole = await createContractorRole(['users.write'])
    await join2(company, userId, strongRole.id)
    const email = newEmail()
    const access = [{ organizationId: company.organization.id, roles: [strong.id] }]
    const id = await start(caller, email, { contractorId: company.contractor.id, access })
    await db()
      .delete(userContractorRoles)
      .where(and(eq(userContractorRoles.userId, userId), eq(userContractorRoles.roleId, strongRole.id)))
    await work(id)
    const { faults } = await caller.call(calls.readInvitationImport, { params: { id } })
    expect(faults).toMatchObject([{ code: 'forbiddenRole' }])
    expect(await sentTo([email])).toBe(0)
  })

  test('is one at a time: of thirty starts at once one begins', async () => {
    const ownScene = await scene()
    const emails = Array.from({ length: 30 }, newEmail)
    const answers = await thirty((n) =>
      ownScene.caller.send(calls.startInvitationImport, { body: { text: emails[n] ?? '', ...given(ownScene) } }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ status, body }) => (status === 200 ? 'begun' : body.code)))).toEqual(
      new Set(['begun', 'runRunning']),
    )
  })

  // 200 rows in place of 5 000, so that the test is fast; tests/bench/inviting.ts does the same with 5 000
  test('mails nobody twice and leaves nobody out when the worker is killed inside a row', {
    tags: ['full'],
    timeout: 60_000,
  }, async () => {
    const ownScene = await scene()
    const emails = Array.from({ length: 200 }, (_, at) => `many.${at}.${ownScene.id.slice(0, 8)}@polaris.example`)
    const id = await start(ownScene.caller, emails.join('\n'), given(ownScene))
    const worker = await startWorker(`
      const { processRows } = await load('lib/base/batch-jobs/process-rows.ts')
      const { batchKinds } = await load('lib/wiring/runs.ts')
      const invitations = async (run) => {
        const { processRow, processBatch } = await batchKinds.invitations(run)
        return { processRow, processBatch: async (tx, rows) => {
          const did = await processBatch(tx, rows)
          if (rows.some(({ row }) => row === 160)) process.kill(process.pid, 'SIGKILL')
          return did
        } }
      }
      return { run: ({ id }) => processRows({ invitations }, id) }`)
    running.add(worker)
    expect(await worker.ended).toBe('SIGKILL')
    const { run } = await ownScene.caller.call(calls.readInvitationImport, { params: { id } })
    // the rows of the transaction in which it died are undone
    expect(run).toMatchObject({ state: 'running', failed: 0 })
    expect(run.done).toBeGreaterThan(0)
    expect(run.done).toBeLessThan(160)
    expect(await sentTo(emails)).toBe(run.done)
    // two workers go on at once, as after a restart that overlaps
    await Promise.all([work(id), work(id)])
    const after = await ownScene.caller.call(calls.readInvitationImport, { params: { id } })
    expect(after.run).toMatchObject({ state: 'done', done: 200, failed: 0 })
    const mails = await db()
      .select({ to: messages.recipient, template: messages.template })
      .from(messages)
      .where(inArray(messages.recipient, emails))
    expect(mails).toHaveLength(200)
    expect(new Set(mails.map(({ to }) => to)).size).toBe(200)
    expect(new Set(mails.map(({ template }) => template))).toEqual(new Set(['invitation']))
    expect(await sentTo(emails)).toBe(200)
  })
})

async function join2({ contractor, organization }: Scene['company'], userId: string, roleId: string) {
  await db()
    .insert(userContractorRoles)
    .values({ userId, contractorId: contractor.id, organizationId: organization.id, roleId })
}
