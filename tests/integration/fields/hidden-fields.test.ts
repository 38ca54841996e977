import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, users } from '@/db/schema'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { configureProfile, getProfile, readProfileDetails, updateProfile } from '@/lib/my-account/personal/contract'
import { recentChanges } from '@/lib/my-account/personal/recent'
import { getProfileHistory } from '@/lib/operations/own-history/contract'
import { compose } from '@/lib/wiring/compose'
import { createContext } from '../../factories/context'
import { defineField, removeFields } from '../../factories/fields'
import { freshEmail, ownAccount } from '../../factories/own-account'
import { first } from '../../factories/platform'
import { caseNumbers } from '../../factories/random-cases'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'
import { eachFifth } from '../../setup/scope'

useTestDatabase()
beforeAll(() => compose())

const random = caseNumbers(20_261_125)

const flags = {
  hidden: { profileVisible: false, profileEdit: false, profileRequired: false },
  readOnly: { profileVisible: true, profileEdit: false, profileRequired: false },
  open: { profileVisible: true, profileEdit: true, profileRequired: false },
}
type Level = keyof typeof flags
const anyLevel = () => (Object.keys(flags) as Level[])[random(3)] as Level
const refusal = { hidden: 'errorUnknownField', readOnly: 'errorReadOnly', open: undefined }

const base = ['comment', 'birthDate', 'email', 'mobile'] as const
type Base = (typeof base)[number]

async function setBase(levels: Record<Base, Level>) {
  for (const code of base)
    await db()
      .update(dynamicFields)
      .set(flags[levels[code]])
      .where(and(eq(dynamicFields.type, 'users'), eq(dynamicFields.code, code)))
  await invalidate(db(), 'dynamic-fields')
  dropCached('dynamic-fields')
}
afterEach(async () => {
  await removeFields()
  await setBase({ comment: 'hidden', birthDate: 'open', email: 'open', mobile: 'open' })
})

/** An account with a value of every field, each of which an administrator has changed. */
async function filledAccount(dynamic: readonly string[]) {
  const { user, caller } = await ownAccount()
  const values = Object.fromEntries(dynamic.map((code) => [code, randomUUID()]))
  const ownValues = { comment: randomUUID(), birthDate: `19${10 + random(80)}-0${1 + random(9)}-1${random(10)}` }
  await db()
    .update(users)
    .set({ ...ownValues, values })
    .where(eq(users.id, user.id))
  const secrets: Record<string, string> = { ...ownValues, ...values, email: user.email, mobile: user.mobile }
  const names = Object.fromEntries(Object.keys(secrets).map((code) => [code, code in values ? `field:${code}` : code]))
  const changer = await createUser()
  const ctx = await createContext()
  // some in acts of their own, some together
  for (const some of [Object.keys(secrets), ...Object.keys(secrets).map((code) => [code])]) {
    const side = (of: (code: string) => unknown) => Object.fromEntries(some.map((code) => [names[code], of(code)]))
    const [before, after] = [side(() => null), side((code) => secrets[code])]
    await db().transaction((tx) =>
      audit(tx, ctx, userEntity, user.id, before as never, after as never, { changerId: changer.id }),
    )
  }
  return { user, caller, secrets, names }
}

const faultsOf = ({ body }: { body: Record<string, unknown> }) =>
  ((body.data ?? {}) as { errorList?: { field: string; code: string }[] }).errorList ?? []

test.each(eachFifth([1, 2, 3, 4, 5, 6]))(
  'with any flags people see, find and change what they may, by every call, and nothing else (%s)',
  async () => {
    const levels: Record<string, Level> = Object.fromEntries(base.map((code) => [code, anyLevel()]))
    const dynamic: string[] = []
    for (let n = 0; n < 4; n++) {
      const level = anyLevel()
      const code = await defineField(flags[level])
      dynamic.push(code)
      levels[code] = level
    }
    await setBase(levels as Record<Base, Level>)
    const { user, caller, secrets, names } = await filledAccount(dynamic)

    const stale = new Date(0).toISOString()
    const details = await caller.call(readProfileDetails)
    const history = await caller.call(getProfileHistory, { query: {} })
    const conflict = await caller.send(updateProfile, { body: { updatedAt: stale, mainInfo: { gender: 'man' } } })
    expect(conflict.status).toBe(409)
    const others = [
      await caller.call(getProfile),
      await caller.call(configureProfile),
      await caller.serve(recentChanges),
    ]
    for (const [code, secret] of Object.entries(secrets)) {
      const seen = levels[code] !== 'hidden'
      const situation = `${code} ${levels[code]}`
      expect(JSON.stringify(details).includes(secret), `details: ${situation}`).toBe(seen)
      expect(JSON.stringify(history.acts).includes(secret), `history: ${situation}`).toBe(seen)
      expect(JSON.stringify(conflict.body).includes(secret), `conflict: ${situation}`).toBe(seen)
      for (const answer of others) expect(JSON.stringify(answer), situation).not.toContain(secret)
      const query = { filter: { field: names[code] as string } }
      expect((await caller.call(getProfileHistory, { query })).acts.length, `filter: ${situation}`).toBe(seen ? 2 : 0)
      expect(JSON.stringify(others[1]).includes(`"${code}"`), `configure: ${situation}`).toBe(seen)
    }

    const present = { email: user.email, mobile: user.mobile }
    const bodyOf = (code: string): [string, object] => {
      if (code === 'email') {
        const emails = [{ value: present.email, main: true }, { value: freshEmail() }]
        return ['contacts.emails', { contacts: { emails } }]
      }
      if (code === 'mobile')
        return [
          'contacts.mobiles',
          { contacts: { mobiles: [{ value: present.mobile, main: true, messengers: ['max'] }] } },
        ]
      if (code === 'comment') return ['mainInfo.comment', { mainInfo: { comment: 'x' } }]
      if (code === 'birthDate') return ['mainInfo.birthDate', { mainInfo: { birthDate: '2000-01-01' } }]
      return [`additionalInfo.${code}`, { additionalInfo: { [code]: 'x' } }]
    }
    const rowOf = async () => first(await db().select().from(users).where(eq(users.id, user.id)))
    for (const code of Object.keys(secrets)) {
      const [field, body] = bodyOf(code)
      const before = await rowOf()
      const answer = await caller.send(updateProfile, { body })
      const fault = refusal[levels[code] as Level]
      expect({ code, status: answer.status, faults: faultsOf(answer) }).toEqual({
        code,
        status: fault ? 400 : 200,
        faults: fault ? [{ field, code: fault }] : [],
      })
      if (fault) expect(await rowOf()).toEqual(before)
    }
  },
)
