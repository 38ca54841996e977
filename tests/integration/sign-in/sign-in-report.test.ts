import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { history, links, sessions, users } from '@/db/schema'
import { reportSignIn } from '@/lib/sign-in/not-me/contract'
import { reportState } from '@/lib/sign-in/not-me/service'
import { thirty } from '../../factories/at-once'
import { Browser } from '../../factories/browser'
import { contextOf } from '../../factories/invitations'
import { createProvider, linkIn, mailsTo, setByLink } from '../../factories/recovery'
import { newPassword } from '../../factories/registration'
import { handlerOf } from '../../factories/routes'
import { begin, prove, signedInStatus, signInByPassword, signOut, startSessionOf } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

const report = handlerOf(reportSignIn)

useTestDatabase()

const say = (browser: Browser, id: string) => browser.send(report, 'POST', { params: { id } })
const reportLinks = async (userId: string) =>
  (await mailsTo(userId, 'newDevice')).map(
    ({ text }) => /\/platform\/login\/device\/([0-9a-f-]{36})/.exec(text)?.[1] ?? '',
  )

/** An account with the browser of its owner and that of a stranger who knows the password, and the mailed link. */
async function robbed(wishes: Parameters<typeof createUser>[0] = {}) {
  const user = await createUser(wishes)
  const [owner, thief] = [new Browser(), new Browser()]
  await signInByPassword(owner, user.login, password)
  await signInByPassword(thief, user.login, password)
  const [id = ''] = await reportLinks(user.id)
  expect(id).not.toBe('')
  return { user, owner, thief, id }
}
const refusedPassword = async (login: string) => {
  const browser = new Browser()
  await begin(browser, login)
  return (await prove(browser, login, { password })).status
}

describe('it wasn’t me', () => {
  test('ends the stranger’s sessions, closes the password, and leads to a new one', async () => {
    const { user, owner, thief, id } = await robbed()
    // the thief signs in once more in the same browser, which is known by now
    await signOut(thief)
    await signInByPassword(thief, user.login, password)
    const answer = await say(new Browser(), id)
    expect(answer.status).toBe(200)
    expect(await signedInStatus(thief)).toBe(401)
    expect(await signedInStatus(owner)).toBe(200)
    expect(await refusedPassword(user.login)).toBe(400)
    const { id: recovery } = linkIn(`https://x.example${String(answer.body.redirect)}`)
    // the stranger's password can't be set again
    expect((await setByLink(new Browser(), recovery, password)).status).toBe(400)
    expect((await setByLink(new Browser(), recovery, newPassword)).status).toBe(200)
    const knownBrowser = new Browser()
    await signInByPassword(knownBrowser, user.login, newPassword)
    expect(await signedInStatus(knownBrowser)).toBe(200)
    const rows = await db().select().from(history).where(eq(history.entityId, user.id))
    expect(rows.filter(({ field }) => field === 'password')).toMatchObject([
      { previous: '***', current: null, changerId: user.id },
      { current: '***' },
    ])
  })

  test('the stranger’s browser is new to the account afterwards, and to no other account', async () => {
    const { user, thief, id } = await robbed()
    const other = await createUser()
    await startSessionOf(thief, other.id)
    await signOut(thief)
    const { body } = await say(new Browser(), id)
    const { id: recovery } = linkIn(`https://x.example${String(body.redirect)}`)
    await setByLink(new Browser(), recovery, newPassword)
    await signInByPassword(thief, user.login, newPassword)
    expect(await reportLinks(user.id)).toHaveLength(2)
    await signInByPassword(thief, other.login, password)
    expect(await signedInStatus(thief)).toBe(200)
    expect(await reportLinks(other.id)).toEqual([])
  })

  test('works once: thirty at once end it once, and later the link is dead', async () => {
    const { user, id } = await robbed()
    const statuses = (await thirty(() => say(new Browser(), id))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => ![200, 400, 409].includes(status))).toEqual([])
    expect(await say(new Browser(), id)).toMatchObject({ status: 400, body: { code: 'linkUsed' } })
    const live = and(eq(links.userId, user.id), eq(links.kind, 'recovery'), isNull(links.canceledAt))
    expect(await db().$count(links, live)).toBe(1)
  })

  test('opening the page changes nothing, however often a scanner does', async () => {
    const { owner, thief, id, user } = await robbed()
    for (let n = 0; n < 5; n++)
      expect(await reportState(await contextOf(new Browser()), id)).toMatchObject({ kind: 'live' })
    expect([await signedInStatus(owner), await signedInStatus(thief)]).toEqual([200, 200])
    expect(await refusedPassword(user.login)).toBe(200)
  })

  test('no other id does anything: unknown, of another kind, of a row, or expired', async () => {
    const { user, thief, id } = await robbed()
    const { body } = await say(new Browser(), (await robbed()).id)
    const other = linkIn(`https://x.example${String(body.redirect)}`).id
    const [row] = await db().select().from(links).where(eq(links.userId, user.id))
    const [session] = await db().select().from(sessions).where(eq(sessions.userId, user.id))
    for (const guess of [randomUUID(), other, row?.id ?? '', session?.id ?? '', user.id])
      expect((await say(new Browser(), guess)).status).toBe(404)
    await db()
      .update(links)
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where(eq(links.userId, user.id))
    expect(await say(new Browser(), id)).toMatchObject({
      status: 403,
      body: { code: 'canceledError', data: { expired: true } },
    })
    expect(await signedInStatus(thief)).toBe(200)
  })

  test('somebody else who is signed in can’t use it; the owner can, in any of their browsers', async () => {
    const { owner, thief, id } = await robbed()
    const stranger = new Browser()
    await signInByPassword(stranger, (await createUser()).login, password)
    expect(await say(stranger, id)).toMatchObject({ status: 403, body: { code: 'accessError' } })
    expect((await say(owner, id)).status).toBe(200)
    expect([await signedInStatus(owner), await signedInStatus(thief)]).toEqual([200, 401])
  })

  test('from the reported browser itself, that browser is signed out', async () => {
    const { thief, id } = await robbed()
    expect((await say(thief, id)).status).toBe(200)
    expect(await signedInStatus(thief)).toBe(401)
  })

  test('a password that was changed since the sign-in stays; one that was changed before it is closed', async () => {
    const { user, thief, id } = await robbed()
    await db()
      .update(users)
      .set({ passwordChangedAt: new Date(Date.now() + 1000) })
      .where(eq(users.id, user.id))
    expect(await say(new Browser(), id)).toMatchObject({ status: 200, body: { redirect: null } })
    expect(await signedInStatus(thief)).toBe(401)
    expect(await refusedPassword(user.login)).toBe(200)
    const older = await robbed({ passwordChangedAt: new Date(Date.now() - 86_400_000) })
    const { body } = await say(new Browser(), older.id)
    expect(String(body.redirect)).toContain('/platform/new-password/')
    expect(await refusedPassword(older.user.login)).toBe(400)
  })

  test('a password of a directory, and none at all, have nothing to close', async () => {
    const { user, thief, id } = await robbed()
    await db()
      .update(users)
      .set({ providerId: (await createProvider()).id })
      .where(eq(users.id, user.id))
    expect(await say(new Browser(), id)).toMatchObject({ status: 200, body: { redirect: null } })
    expect(await signedInStatus(thief)).toBe(401)
    const none = await robbed()
    await db().update(users).set({ passwordHash: null }).where(eq(users.id, none.user.id))
    expect(await say(new Browser(), none.id)).toMatchObject({ status: 200, body: { redirect: null } })
  })

  test('a disabled account’s link is dead', async () => {
    const { user, id } = await robbed()
    await db().update(users).set({ enabled: false }).where(eq(users.id, user.id))
    expect(await say(new Browser(), id)).toMatchObject({ status: 403, body: { code: 'canceledError' } })
  })

  test('what the stranger has proven so far in another browser is worth nothing afterwards', async () => {
    const { user, id } = await robbed()
    const half = new Browser()
    await begin(half, user.login)
    expect((await say(new Browser(), id)).status).toBe(200)
    expect((await prove(half, user.login, { password })).status).toBe(400)
  })
})

test('each sign-in has a link of its own, and ten an hour are mailed', async () => {
  const user = await createUser()
  await signInByPassword(new Browser(), user.login, password)
  for (let n = 0; n < 12; n++) await signInByPassword(new Browser(), user.login, password)
  const ids = await reportLinks(user.id)
  expect(new Set(ids).size).toBe(10)
  // using one leaves the others
  expect((await say(new Browser(), ids[0] ?? '')).status).toBe(200)
  expect((await say(new Browser(), ids[9] ?? '')).status).toBe(200)
})
