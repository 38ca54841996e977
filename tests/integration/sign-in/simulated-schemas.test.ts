import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import { redis } from '@/lib/base/redis/redis'
import { Browser } from '../../factories/browser'
import { begin } from '../../factories/sign-in'
import { createRole, createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const factors = [
  ['credentials'],
  ['sms_code', 'email_code'],
  ['email_code', 'credentials'],
  ['sms_code', 'credentials'],
]
let roles: string[] = []

beforeAll(async () => {
  for (const firstFactor of factors) roles = [...roles, await createRole({ firstFactor })]
  for (const role of roles) for (let n = 0; n < 3; n++) await createUser({ roles: [role] })
  dropCached('authentication-schemas')
})

/** Returns the flows that a stranger is shown for one text, typed as each kind of identifier. */
async function flowsShown(text: string) {
  await redis().flushdb()
  const answers = await Promise.all(
    (['login', 'email'] as const).map(async (kind) => (await begin(new Browser(), text, kind)).body.flows),
  )
  return answers as [string[], string[]]
}

const address = () => `asked.${randomInt(1e9)}@polaris.example`

test('an address shows the same flows as login and as e-mail, whether it is unknown, known or blocked', async () => {
  const seen = new Set<string>()
  for (let n = 0; n < 40; n++) {
    const [asLogin, asEmail] = await flowsShown(address())
    expect(asLogin).toEqual(asEmail)
    seen.add(asLogin.join())
  }
  // several schemas are simulated, otherwise the comparison would prove nothing
  expect(seen.size).toBeGreaterThan(2)
  for (const role of roles) {
    const ownAddress = address()
    const user = await createUser({ login: ownAddress, email: ownAddress, roles: [role] })
    const [asLogin, asEmail] = await flowsShown(ownAddress)
    expect(asLogin).toEqual(asEmail)
    await db().update(users).set({ enabled: false }).where(eq(users.id, user.id))
    const [blockedLogin, blockedEmail] = await flowsShown(ownAddress)
    expect(blockedLogin).toEqual(blockedEmail)
  }
})
