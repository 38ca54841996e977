import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, links, messages } from '@/db/schema'
import { users } from '@/db/schema/people'
import { applicationId } from '@/lib/applications/applications/service'
import { defineField } from '../../factories/fields'
import { bundled } from '../../setup/bundled'
import { useTestDatabase } from '../../setup/database'
import { eachFifth } from '../../setup/scope'

useTestDatabase()

/** Runs the command as the shell does; returns its status and what it prints. */
function create(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bundled('bin/platform.ts'), 'account', 'create', ...args],
    {
      encoding: 'utf8',
      env: process.env,
    },
  )
  return { status, printed: `${stdout}${stderr}` }
}

test('platform account create makes an account as an administrator does, mails its link, and refuses the same faults', async () => {
  const field = await defineField({ fieldType: 'input' })
  const email = `${randomUUID()}@polaris.example`
  const made = create('--email', email.toUpperCase(), '--name', 'Орлова Вера', '--field', `${field}=Склад = 7`)
  expect(made.status, made.printed).toBe(0)
  const [row] = await db().select().from(users).where(eq(users.login, email))
  expect(row).toMatchObject({ email, fio: 'Орлова Вера', values: { [field]: 'Склад = 7' }, passwordHash: null })
  const id = row?.id ?? ''
  expect([
    await db().$count(links, eq(links.userId, id)),
    await db().$count(messages, eq(messages.userId, id)),
  ]).toEqual([1, 1])
  const recorded = await db()
    .select({ changer: history.changerId })
    .from(history)
    .where(and(eq(history.entityId, id), eq(history.field, 'login')))
  expect(recorded).toEqual([{ changer: await applicationId('platform') }])

  const login = `shell-${randomUUID().slice(0, 8)}`
  const silent = ['--login', login, '--email', `${login}@polaris.example`, '--name', 'Вера', '--no-link']
  expect(create(...silent)).toMatchObject({ status: 0 })
  expect(await db().$count(messages, eq(messages.recipient, `${login}@polaris.example`))).toBe(0)
  const before = await db().$count(users)
  for (const wrong of eachFifth([
    ['--email', email],
    ['--email', 'nobody@'],
    ['--email', `x${email}`, '--field', 'no-such-field=1'],
    ['--email', `x${email}`, '--mobile', '12'],
    ['--login', `y${login}`],
    silent,
    ['--mail', email],
  ]))
    expect(create(...wrong).status, wrong.join(' ')).not.toBe(0)
  expect(await db().$count(users)).toBe(before)
}, 60_000)
