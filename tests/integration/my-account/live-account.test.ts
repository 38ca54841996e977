import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { applications } from '@/db/schema'
import { enableRole } from '@/lib/access/roles/contract'
import { addHolders, removeHolder } from '@/lib/accounts/role-holders/contract'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { type LiveEvent, subscribe } from '@/lib/base/cache/live-events'
import { ensureListening } from '@/lib/base/cache/notifications'
import { deleteAvatar, patchAvatar } from '@/lib/my-account/avatar/contract'
import { live } from '@/lib/my-account/live/contract'
import { updateProfile } from '@/lib/my-account/personal/contract'
import { patchUserSettings } from '@/lib/my-account/settings/contract'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { defineField } from '../../factories/fields'
import { samples } from '../../factories/file-samples'
import { plantApplicationMethod, plantRole, signedInAdministrator } from '../../factories/roles'
import { useTestDatabase } from '../../setup/database'
import { eventually } from '../../setup/eventually'

useTestDatabase()
beforeEach(async () => {
  expect(await ensureListening()).toBe(true)
})

async function person() {
  const { user, browser } = await signedInWith()
  const caller = new Caller(browser)
  const heard: LiveEvent[] = []
  const leave = await subscribe({ userId: user.id, sessionId: user.id, send: (event) => heard.push(event), close() {} })
  if (!leave) throw new Error('no room for a page')
  const mark = async () => (await caller.call(live)).mark
  return { user, caller, heard, leave, mark }
}
const accountEvents = (heard: LiveEvent[]) =>
  heard.filter(({ event }) => event === 'account-changed').map(({ data }) => data)

const picture = new File([new Uint8Array(samples['image/png'])], 'me.png', { type: 'image/png' })

/** A service that a role opens. */
async function plantService() {
  const { application, method } = await plantApplicationMethod()
  await db()
    .update(applications)
    .set({ type: 'internal', url: 'https://service.example', menuVisible: true })
    .where(sql`id = ${application.id}`)
  dropCached('applications')
  return plantRole([method.id])
}

describe('a change of the account', () => {
  test('is told to its pages once, and not to another person’s, and changes the mark', async () => {
    const [{ user, caller, heard, mark }, stranger] = [await person(), await person()]
    const { caller: admin } = await signedInAdministrator()
    const role = await plantService()
    const holders = { params: { id: role.id } }
    const changes: Record<string, () => Promise<unknown>> = {
      name: () => caller.call(updateProfile, { body: { mainInfo: { firstName: 'Мария' } } }),
      picture: () => caller.call(patchAvatar, { body: { file: picture } }),
      'no picture': () => caller.call(deleteAvatar),
      language: () => caller.call(patchUserSettings, { body: { settings: { lang: 'en' } } }),
      'a role': () => admin.call(addHolders, { ...holders, body: { users: [user.id] } }),
      'its end': () => admin.call(removeHolder, { ...holders, query: { userId: user.id } }),
    }
    const strange = await stranger.mark()
    const marks = [await mark()]
    for (const [name, change] of Object.entries(changes)) {
      heard.length = 0
      await change()
      await eventually(() => expect(accountEvents(heard), name).toEqual([{ within: 0 }]))
      marks.push(await mark())
      expect(marks.at(-1), name).not.toBe(marks.at(-2))
    }
    // the role and its service are gone as they came
    expect(marks.at(-1)).toBe(marks.at(-3))
    expect(accountEvents(stranger.heard)).toEqual([])
    expect(await stranger.mark()).toBe(strange)
  })

  test('that no other page shows leaves the mark as it is', async () => {
    const { caller, heard, mark } = await person()
    const before = await mark()
    await caller.call(patchUserSettings, {
      body: { settings: { navMini: true, timeZone: 'Asia/Tokyo', pagination: 50 } },
    })
    await eventually(() => expect(accountEvents(heard)).toHaveLength(1))
    expect(await mark()).toBe(before)
  })
})

describe('a change for everybody', () => {
  test('of a required field is told to all pages once, spread by their number, and changes the mark of whom it concerns', async () => {
    const [one, two] = [await person(), await person()]
    const before = await one.mark()
    const code = await defineField({ profileRequired: true })
    await eventually(() => expect(accountEvents(one.heard).length).toBeGreaterThan(0))
    expect(accountEvents(two.heard)).toEqual(accountEvents(one.heard))
    expect(accountEvents(one.heard)).toEqual([{ within: expect.any(Number) }])
    const [{ within } = { within: 0 }] = accountEvents(one.heard) as { within: number }[]
    expect(within).toBeGreaterThanOrEqual(40)
    const marks = [await one.mark(), await two.mark()]
    expect(marks[0]).not.toBe(before)
    await one.caller.call(updateProfile, { body: { additionalInfo: { [code]: '7' } } })
    expect(await one.mark()).toBe(before)
    expect(await two.mark()).toBe(marks[1])
  })

  test('who holds a role, of more than can be named, is one notification; pages that it doesn’t concern keep their mark', async () => {
    const [holder, other] = [await person(), await person()]
    const { caller: admin } = await signedInAdministrator()
    const role = await plantService()
    await db().execute(sql`
      with people as (
        insert into users (login) select 'many.' || n from generate_series(1, 1100) n returning id
      ) insert into user_roles (user_id, role_id) select id, ${role.id}::uuid from people
      union all select ${holder.user.id}::uuid, ${role.id}::uuid`)
    await db().transaction((tx) => invalidate(tx, 'applications'))
    await eventually(() => expect(accountEvents(holder.heard).length).toBeGreaterThan(0))
    for (const { heard } of [holder, other]) heard.length = 0
    const before = [await holder.mark(), await other.mark()]
    await admin.call(enableRole, { params: { id: role.id }, body: { enabled: false } })
    await eventually(() => expect(accountEvents(other.heard)).toHaveLength(1))
    expect(accountEvents(holder.heard)).toHaveLength(1)
    expect(await holder.mark()).not.toBe(before[0])
    expect(await other.mark()).toBe(before[1])
  })
})
