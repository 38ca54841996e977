import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { digestItems, digests, messages, users } from '@/db/schema'
import { messageContent } from '@/lib/base/mail-and-sms/send-message'
import { addToDigest, lastDue, sendDueDigests } from '@/lib/messaging/sender/digests'
import { createContext } from '../../factories/context'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

beforeEach(async () => {
  await db().delete(messages)
  await db().delete(digestItems)
  await db().delete(digests)
})

type Period = 'daily' | 'weekly'
const add = async (userId: string, period: Period, title: string, at: string) => {
  const ctx = await createContext({ now: new Date(at) })
  await db().transaction((tx) => addToDigest(tx, ctx, { userId, period, title, link: 'https://id.polaris.example/x' }))
}
const mailsTo = async (email: string) => {
  const rows = await db().select().from(messages).where(eq(messages.recipient, email)).orderBy(messages.createdAt)
  return rows.map((row) => {
    const content = messageContent(row)
    const plain = (text: string) => text.replaceAll('\u00a0', ' ')
    return { subject: 'subject' in content ? plain(content.subject) : '', text: plain(content.text) }
  })
}

test.each<[string, Period, string]>([
  ['2026-11-25T06:00:00Z', 'daily', '2026-11-25T06:00:00Z'],
  ['2026-11-25T05:59:59Z', 'daily', '2026-11-24T06:00:00Z'],
  ['2026-11-25T23:00:00Z', 'daily', '2026-11-25T06:00:00Z'],
  ['2026-11-23T06:00:00Z', 'weekly', '2026-11-23T06:00:00Z'],
  ['2026-11-23T05:59:59Z', 'weekly', '2026-11-16T06:00:00Z'],
  ['2026-11-29T22:00:00Z', 'weekly', '2026-11-23T06:00:00Z'],
  ['2027-01-01T12:00:00Z', 'weekly', '2026-12-28T06:00:00Z'],
])('at %s the last %s period ended at %s', (now, period, due) => {
  expect(lastDue(period, new Date(now)).toISOString()).toBe(new Date(due).toISOString())
})

describe('digests', () => {
  test('collect events into one mail per person and period, however often and by how many processes they run', async () => {
    const [anna, oleg] = [await createUser({ locale: 'ru' }), await createUser({ locale: 'en', firstName: 'Oleg' })]
    await add(anna.id, 'daily', 'Первое', '2026-11-24T10:00:00Z')
    await add(anna.id, 'daily', 'Второе', '2026-11-25T05:00:00Z')
    await add(anna.id, 'daily', 'После девяти', '2026-11-25T06:00:01Z')
    await add(oleg.id, 'daily', 'For Oleg', '2026-11-24T10:00:00Z')
    const now = new Date('2026-11-25T06:00:05Z')
    await Promise.all([sendDueDigests(now), sendDueDigests(now), sendDueDigests(now)])
    await sendDueDigests(new Date('2026-11-25T20:00:00Z'))

    const [mail, ...others] = await mailsTo(anna.email)
    expect(others).toEqual([])
    expect(mail).toMatchObject({ subject: expect.stringContaining('Главное за день') })
    expect(mail?.text).toMatch(/Первое[\s\S]*Второе/)
    expect(mail?.text).not.toContain('После девяти')
    expect(mail?.text).toContain('2 события')
    expect(await mailsTo(oleg.email)).toMatchObject([{ subject: expect.stringContaining('Your day in brief') }])

    await sendDueDigests(new Date('2026-11-26T06:00:00Z'))
    const all = await mailsTo(anna.email)
    expect(all).toHaveLength(2)
    expect(all[1]?.text).toContain('После девяти')
    // nobody gets an empty digest
    await sendDueDigests(new Date('2026-11-27T06:00:00Z'))
    expect(await mailsTo(anna.email)).toHaveLength(2)
    expect(await db().select().from(digestItems)).toEqual([])
  })

  test('weekly ones wait for Monday, beside daily ones', async () => {
    const user = await createUser()
    await add(user.id, 'weekly', 'За неделю', '2026-11-24T10:00:00Z')
    await add(user.id, 'daily', 'За день', '2026-11-24T10:00:00Z')
    await sendDueDigests(new Date('2026-11-25T06:00:00Z'))
    expect((await mailsTo(user.email)).map(({ text }) => /За (день|неделю)/.exec(text)?.[0])).toEqual(['За день'])
    await sendDueDigests(new Date('2026-11-30T06:00:00Z'))
    const [, weekly] = await mailsTo(user.email)
    expect(weekly?.text).toContain('За неделю')
    expect(weekly).toMatchObject({ subject: expect.stringContaining('Главное за неделю') })
  })

  test('aren’t sent to blocked people or without an address, and a stopped worker delays them without loss', async () => {
    const [blocked, mute, late] = [await createUser(), await createUser(), await createUser()]
    for (const { id } of [blocked, mute, late]) await add(id, 'daily', 'Новость', '2026-11-20T10:00:00Z')
    await db().update(users).set({ enabled: false }).where(eq(users.id, blocked.id))
    await db().update(users).set({ email: null }).where(eq(users.id, mute.id))
    await sendDueDigests(new Date('2026-11-25T15:00:00Z'))
    expect(await db().select({ to: messages.recipient }).from(messages)).toEqual([{ to: late.email }])
    expect(await db().select().from(digestItems)).toEqual([])
  })
})
