import { randomInt, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { db } from '@/db/client'
import { messages, passwordFailures, wrongCodes } from '@/db/schema'
import { liftUserLimits, listUserMessages, readUserLimits } from '@/lib/operations/account-limits/contract'
import { countDaily } from '@/lib/sign-in/codes/daily-limit'
import { createRoleWith, signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { proof } from '../../factories/proofs'
import { createUser } from '../../factories/users'

/** Somebody whose password flow and codes are closed; a neighbour has a wrong code too. */
const closed = async () => {
  const [person, other] = [await createUser({ roles: [] }), await createUser({ roles: [] })]
  const failures = 100 + randomInt(1_000_000)
  const key = `account ${person.id}`
  const now = new Date()
  await db().insert(passwordFailures).values({ key, userId: person.id, count: failures, lastAt: now })
  await db()
    .insert(wrongCodes)
    .values([
      { key: `${key} device`, entries: Array(10).fill(now), lastAt: now },
      { key: `account ${other.id}`, entries: [now], lastAt: now },
    ])
  for (const who of [person, other])
    await db().transaction(async (tx) => {
      for (let n = 0; n < 2; n++) await countDaily(tx, 'recovery', who.email, 1, now)
    })
  return { ...person, other: other.id, failures }
}
let signedIn: ReturnType<typeof signedInWith> | undefined
const self = () => {
  signedIn ??= signedInWith(['users.write'])
  return signedIn
}
const limits = (caller: Caller, id: string) => caller.call(readUserLimits, { params: { id } })

export default [
  proof(readUserLimits, {
    prepare: closed,
    input: ({ id }) => ({ params: { id } }),
    shows: ({ failures }) => ({
      password: { failures, closed: true, until: null },
      codes: { day: 10, month: 10, closed: true, until: expect.any(String) },
      sent: { day: 1 },
      addresses: [],
    }),
  }),
  proof(liftUserLimits, {
    makes: ['update users'],
    prepare: closed,
    input: ({ id }) => ({ params: { id } }),
    look: async (caller, { id, other }) => [await limits(caller, id), await limits(caller, other)],
    shows: () => [
      { password: { failures: 0, closed: false }, codes: { month: 0, closed: false }, sent: { day: 0 } },
      { codes: { month: 1 }, sent: { day: 1 } },
    ],
    errors: {
      forbiddenUser: {
        input: async () => ({
          params: { id: (await createUser({ roles: [await createRoleWith(['license.write'])] })).id },
        }),
      },
      ownLimits: {
        by: async () => new Caller((await self()).browser),
        input: async () => ({ params: { id: (await self()).user.id } }),
      },
    },
  }),
  proof(listUserMessages, {
    prepare: async () => {
      const person = await createUser({ roles: [] })
      const recipient = `${randomUUID()}@polaris.example`
      const values = { kind: 'email', template: 'passwordReset', recipient, locale: 'ru', content: 'sealed' } as const
      await db()
        .insert(messages)
        .values({ ...values, userId: person.id, status: 'failed' })
      return { ...person, recipient }
    },
    input: ({ id }) => ({ params: { id }, query: {} }),
    shows: ({ recipient }) => ({ messages: [{ template: 'passwordReset', recipient, status: 'failed' }] }),
  }),
]
