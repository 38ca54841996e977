import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { closeDatabase, db } from '@/db/client'
import { invitations } from '@/db/schema/entry'
import { plantInvitation } from '../factories/companies'
import { spokenIn } from './spoken'
import { expect, test } from './turn'

const { language, words } = spokenIn(import.meta.filename)
const { common, invitation: t } = words
test.afterAll(closeDatabase)

const filled = (text: string, values: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
const pageOf = async (guid: string) => {
  const address = `${process.env.PUBLIC_URL}/platform/invitation/${guid}`
  const answer = await fetch(address, { headers: { cookie: `locale=${language}` } })
  return (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, '')
}

test('each dead link of an invitation says why it is dead and offers a next step', async () => {
  const planted = await plantInvitation()
  const values = { inviter: planted.inviter.fio, company: planted.contractor.name, email: planted.email }
  const states = [
    ['expired', { expiresAt: new Date(Date.now() - 1000) }],
    ['accepted', { status: 'success' }],
    ['declined', { status: 'refusal' }],
    ['canceled', { status: 'deleted' }],
  ] as const
  for (const [kind, state] of states) {
    await db().update(invitations).set(state).where(eq(invitations.id, planted.id))
    const html = await pageOf(planted.guid)
    expect(html).toMatch(new RegExp(`<h1[^>]*>${t.dead[kind].title}</h1>`))
    expect(html).toContain(filled(t.dead[kind].text, values))
    expect(html).toMatch(new RegExp(`<a [^>]*href="/platform/login"[^>]*>${common.toSignIn}</a>`))
  }
  expect(await pageOf(randomUUID())).toMatch(new RegExp(`<h1[^>]*>${t.dead.notFound.title}</h1>`))
})
