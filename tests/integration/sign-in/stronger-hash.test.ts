import { hash as argon2 } from '@node-rs/argon2'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { storePassword, storeStrongerHash } from '@/lib/accounts/users/passwords'
import { verifyPassword } from '@/lib/base/crypto/password'
import { Browser } from '../../factories/browser'
import { eachRound } from '../../factories/random-cases'
import { recoveryLink, setByLink } from '../../factories/recovery'
import { begin, prove } from '../../factories/sign-in'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const replaced = 'Severnyj-veter-26'
const withWeakHash = async () =>
  createUser({ passwordHash: await argon2(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 }) })
const hashOf = async (id: string) => (await db().select().from(users).where(eq(users.id, id)))[0]?.passwordHash ?? null

test('a stronger hash of a password never replaces another password', async () => {
  const user = await withWeakHash()
  await db().transaction((tx) => storePassword(tx, user.id, 'another', new Date()))
  await db().transaction((tx) => storeStrongerHash(tx, user.id, { from: user.passwordHash ?? '', to: 'stronger' }))
  expect(await hashOf(user.id)).toBe('another')
})

test('sign-ins that store one during a password change succeed or are refused, and the new password stays', async () => {
  for (const _ of eachRound(5)) {
    const user = await withWeakHash()
    const id = await recoveryLink(new Browser(), user)
    const browsers = Array.from({ length: 4 }, () => new Browser())
    for (const browser of browsers) await begin(browser, user.login)
    const [set, ...signedIn] = await Promise.all([
      setByLink(new Browser(), id, replaced),
      ...browsers.map((browser) => prove(browser, user.login, { password })),
    ])
    expect(set.status, JSON.stringify(set.body)).toBe(200)
    for (const { status, body } of signedIn) expect([200, 400, 403, 409], JSON.stringify(body)).toContain(status)
    expect(await verifyPassword(await hashOf(user.id), replaced)).toMatchObject({ right: true })
  }
})
