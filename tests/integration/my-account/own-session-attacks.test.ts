import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { db } from '@/db/client'
import { notices, sessions, userContacts, users } from '@/db/schema'
import { outsideTransaction } from '@/db/scope'
import { createAccessRequests, listAccessRequests } from '@/lib/companies/access-requests/contract'
import { listOwnInvitations } from '@/lib/joining/received-invitations/contract'
import { requestContactCode } from '@/lib/my-account/contact-details/contract'
import { requestDeletionCode } from '@/lib/my-account/deletion/contract'
import { requestPasswordCode } from '@/lib/my-account/password/contract'
import { updateProfile } from '@/lib/my-account/personal/contract'
import { listNotices } from '@/lib/news/notifications/contract'
import { getProfileHistory } from '@/lib/operations/own-history/contract'
import { listSessions } from '@/lib/sign-in/own-sessions/contract'
import { compose } from '@/lib/wiring/compose'
import { newInn } from '../../factories/access-requests'
import { thirty } from '../../factories/at-once'
import type { AnyContract, Caller } from '../../factories/caller'
import { passResend } from '../../factories/codes'
import { plantInvitation } from '../../factories/companies'
import { lastCodeTo } from '../../factories/messages'
import {
  change,
  codeFor,
  contactsOf,
  freshEmail,
  freshMobile,
  nextPassword,
  ownAccount,
  remove,
  save,
  verify,
} from '../../factories/own-account'
import { first } from '../../factories/platform'
import { caseNumbers } from '../../factories/random-cases'
import { useTestDatabase } from '../../setup/database'
import { somebodyWaits } from '../../setup/eventually'
import { eachFifth } from '../../setup/scope'

useTestDatabase()
beforeAll(() => compose())

const rowOf = async (id: string) => first(await db().select().from(users).where(eq(users.id, id)))
const faultsOf = ({ body }: { body: Record<string, unknown> }) =>
  ((body.data ?? {}) as { errorList?: { field: string; code: string }[] }).errorList ?? []
const random = caseNumbers(20_261_126)
const any = <T>(of: readonly T[]): T => of[random(of.length)] as T

describe('a session that is older than 15 minutes', () => {
  test.each(['email', 'mobile'] as const)(
    'doesn’t put the former %s back while its person replaces it',
    async (kind) => {
      const { user, caller } = await ownAccount()
      await db()
        .update(sessions)
        .set({ createdAt: new Date(Date.now() - 16 * 60_000) })
        .where(eq(sessions.userId, user.id))
      const former = user[kind]
      const next = kind === 'email' ? freshEmail() : freshMobile()
      // proving the present main contact takes no password
      const code = await codeFor(caller, kind, former)
      const { answer } = await db().transaction(async (tx) => {
        await tx.execute(sql`select from ${users} where id = ${user.id} for update`)
        await tx
          .update(users)
          .set({ [kind]: next })
          .where(eq(users.id, user.id))
        const answer = outsideTransaction(() => verify(caller, kind, former, code, true))
        await somebodyWaits(tx)
        return { answer }
      })
      const { status, body } = await answer
      expect([status, faultsOf({ body })]).toEqual([400, [{ field: 'password', code: 'errorPasswordNeeded' }]])
      expect((await rowOf(user.id))[kind]).toBe(next)
      expect(await db().select().from(userContacts).where(eq(userContacts.userId, user.id))).toEqual([])
    },
  )
})

type Purpose = 'contact' | 'password' | 'deletion'
type Sent = { owner: number; purpose: Purpose; value: string; code: string }

test.each(eachFifth([1, 2, 3]))(
  'a code does nothing but what it was sent for, for whom and where it was sent, in any order of calls (%s)',
  async () => {
    const people = [await ownAccount(), await ownAccount(), await ownAccount()]
    // without a password a code sets one
    for (const { user } of people) await db().update(users).set({ passwordHash: null }).where(eq(users.id, user.id))
    const before = await Promise.all(people.map(({ user }) => rowOf(user.id)))
    const values = [freshEmail(), freshEmail(), freshMobile()]
    const kindOf = (value: string) => (value.includes('@') ? ('email' as const) : ('mobile' as const))
    const sent: Sent[] = []
    for (const [owner, { user, caller }] of people.entries()) {
      await passResend()
      const [mine = ''] = [values[owner]]
      await caller.call(requestContactCode, { body: { kind: kindOf(mine), value: mine } })
      sent.push({ owner, purpose: 'contact', value: mine, code: await lastCodeTo(mine) })
      await passResend()
      const [purpose, ask] =
        owner === 1 ? (['password', requestPasswordCode] as const) : (['deletion', requestDeletionCode] as const)
      await caller.call(ask)
      sent.push({ owner, purpose, value: user.email, code: await lastCodeTo(user.email) })
    }
    // each code everywhere else, in a random order: six wrong entries of an account are fewer than its limit
    const tries = sent.flatMap((one) =>
      [0, 1, 2].flatMap((owner) =>
        (['contact', 'password', 'deletion'] as const).map((purpose) => ({ ...one, at: owner, as: purpose })),
      ),
    )
    const wrongOnes = tries.filter(({ owner, at, purpose, as }) => owner !== at || purpose !== as)
    const statuses = []
    const mixed = wrongOnes.map((each) => ({ ...each, place: random(1e9) })).toSorted((a, b) => a.place - b.place)
    for (const { at, as, value, code } of mixed.slice(0, 24)) {
      const { user, caller } = people[at] as (typeof people)[number]
      const answer =
        as === 'contact'
          ? await verify(caller, kindOf(value), value, code, random(2) === 1)
          : as === 'password'
            ? await change(caller, { password: nextPassword, rePassword: nextPassword, code })
            : await remove(caller, { login: user.login, code })
      statuses.push(answer.status)
    }
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([])
    expect(await Promise.all(people.map(({ user }) => rowOf(user.id)))).toEqual(before)
    for (const { caller } of people) expect((await contactsOf(caller)).emails.filter(({ main }) => !main)).toEqual([])
  },
)

describe('fields that aren’t the profile’s', () => {
  const columns = Object.keys(users).filter((name) => /^[a-z]\w*$/.test(name))
  const all = [...columns, 'roles', 'methods', 'groups', 'contractors', 'userId', 'session', 'isMain', 'verified']

  test('aren’t written by any part of the body, one by one and all together', async () => {
    const { user, caller } = await ownAccount()
    const profileFields = ['fio', 'lastName', 'firstName', 'middleName', 'birthDate', 'gender', 'locale']
    const hostile = all.filter((name) => !profileFields.includes(name))
    expect(hostile).toEqual(
      expect.arrayContaining(['id', 'isEditable', 'enabled', 'providerId', 'passwordHash', 'email']),
    )
    const before = await rowOf(user.id)
    const value = () => any<unknown>([true, null, 1, 'x', randomUUID(), [], {}, new Date().toISOString()])
    // with what `details` tells besides, which may come back and is ignored
    const wraps: [wrap: (inner: object) => object, told: string[]][] = [
      [(inner) => inner, []],
      [(mainInfo) => ({ mainInfo }), ['isEditable', 'directory', 'groups', 'email', 'mobile']],
      [(additionalInfo) => ({ additionalInfo }), []],
      [(inner) => ({ contacts: { ...inner } }), []],
      [(inner) => ({ contacts: { emails: [{ value: user.email, main: true, ...inner }] } }), ['id', 'verified']],
    ]
    const written: unknown[] = []
    for (const [wrap, harmless] of wraps)
      for (const names of [...hostile.map((name) => [name]), hostile]) {
        // what the contact or the version may say is no attack
        const ownNames = names.filter(
          (name) => !['updatedAt', 'comment', 'login', 'emails', 'mobiles', 'value'].includes(name),
        )
        if (ownNames.length === 0) continue
        const body = wrap(Object.fromEntries(ownNames.map((name) => [name, value()])))
        const { status } = await caller.send(updateProfile, { body })
        if (status !== 400 && !ownNames.every((name) => harmless.includes(name))) written.push([body, status])
      }
    expect(written).toEqual([])
    expect(await rowOf(user.id)).toEqual(before)
  })
})

test('of thirty saves and proofs of contacts at once none is half, and one main contact of each kind is left', async () => {
  for (let round = 0; round < 3; round++) {
    const { user, caller } = await ownAccount()
    const proven = freshEmail()
    const code = await codeFor(caller, 'email', proven)
    const answers = await thirty(async (n) => {
      if (n % 10 === 0) return verify(caller, 'email', proven, code, n > 10)
      const more = Array.from({ length: random(9) }, () => ({ value: freshEmail() }))
      const main =
        n % 3 === 0 ? [{ value: user.email, main: true }] : [{ value: user.email }, { value: proven, main: true }]
      return n % 4 === 0
        ? save(caller, {
            mobiles: [
              { value: user.mobile, main: true },
              { value: freshMobile(), messengers: ['max'] },
            ],
          })
        : save(caller, { emails: [...main, ...more] })
    })
    expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toEqual([])
    const { emails, mobiles } = await contactsOf(caller)
    const row = await rowOf(user.id)
    for (const [list, main] of [
      [emails, row.email],
      [mobiles, row.mobile],
    ] as const) {
      expect(list.length).toBeLessThanOrEqual(10)
      expect(list.filter((each) => each.main).map(({ value }) => value)).toEqual([main])
      expect(new Set(list.map(({ value }) => value)).size).toBe(list.length)
    }
  }
})

describe('cursors of the own lists', () => {
  const lists: Record<string, AnyContract> = {
    notices: listNotices,
    history: getProfileHistory,
    sessions: listSessions,
    requests: listAccessRequests,
    invitations: listOwnInvitations,
  }

  /** Somebody with more than a page in each list. */
  async function crowded() {
    const person = await ownAccount()
    const { user, caller } = person
    await db().update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, user.id))
    const of12 = Array.from({ length: 12 }, (_, n) => n)
    await db()
      .insert(notices)
      .values(
        of12.map((n) => ({
          userId: user.id,
          kind: 'sessionsEnded',
          values: { count: n },
          cause: `c${n}`,
          date: new Date(),
        })),
      )
    await db()
      .insert(sessions)
      .values(
        of12.map(() => ({ userId: user.id, ip: '', deviceType: 'x', expiresAt: new Date(Date.now() + 3_600_000) })),
      )
    const company = () => ({ name: 'ООО «Вектор»', inn: newInn(), kpp: '770101001' })
    for (const many of [6, 6])
      await caller.call(createAccessRequests, { body: { companies: Array.from({ length: many }, company) } })
    for (const n of of12) {
      await plantInvitation({ email: user.email.toLowerCase() })
      await caller.call(updateProfile, { body: { mainInfo: { gender: n % 2 ? 'man' : 'woman' } } })
    }
    return person
  }
  const page = (caller: Caller, contract: AnyContract, meta: object = {}, more: object = {}) =>
    caller.send(contract, { query: { meta: { perPage: 10, ...meta }, ...more } })
  const metaOf = ({ body }: { body: Record<string, unknown> }) => body.meta as { after: string | null }

  test('lead nobody into the list of another account, nor into another list, and bear no change', async () => {
    const [mine, theirs] = [await crowded(), await crowded()]
    const cursors = new Map<string, string>()
    for (const [name, contract] of Object.entries(lists)) {
      const { after } = metaOf(await page(theirs.caller, contract))
      expect(after, name).toEqual(expect.any(String))
      cursors.set(name, after ?? '')
      expect((await page(theirs.caller, contract, { after })).status, name).toBe(200)
    }
    const refused: unknown[] = []
    const refuse = async (what: string, answer: Promise<{ status: number; body: Record<string, unknown> }>) => {
      const { status, body } = await answer
      const [fault] = faultsOf({ body })
      if (status !== 400 || !fault?.field.startsWith('meta.')) refused.push([what, status, body])
    }
    for (const [name, after] of cursors)
      for (const [other, contract] of Object.entries(lists)) {
        await refuse(`${name} of theirs in my ${other}`, page(mine.caller, contract, { after }))
        await refuse(`${name} of theirs, backwards, in my ${other}`, page(mine.caller, contract, { before: after }))
        if (other !== name) await refuse(`${name} in ${other}`, page(theirs.caller, contract, { after }))
        else
          for (let n = 0; n < 8; n++) {
            const at = random(after.length)
            const sign = after[at] === 'A' ? 'B' : 'A'
            const changed = after.slice(0, at) + sign + after.slice(at + 1)
            // the last sign of a text in base64 may say nothing
            if (at < after.length - 1)
              await refuse(`${name}, changed`, page(theirs.caller, contract, { after: changed }))
          }
      }
    expect(refused).toEqual([])
  })
})
