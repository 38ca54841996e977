import { and, eq, inArray } from 'drizzle-orm'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { db } from '@/db/client'
import { spellEmails } from '@/db/migrate/emails'
import { providers, userContacts, userIdentifiers, users } from '@/db/schema'
import { createUser as createAccount, updateUser } from '@/lib/account-administration/accounts/contract'
import { listUsers } from '@/lib/accounts/administration/contract'
import { searchContacts } from '@/lib/accounts/people-search/contract'
import { dropCached } from '@/lib/base/cache/cache'
import { asciiEmail, emailOf } from '@/lib/base/text/email'
import { claimingProvider } from '@/lib/identity-providers/connections/sign-in'
import { createInvitation } from '@/lib/joining/invitations/manage'
import { requestContactCode } from '@/lib/my-account/contact-details/contract'
import { accountClaims } from '@/lib/openid/claims/service'
import { Browser } from '../../factories/browser'
import { callerFor } from '../../factories/caller'
import { invite } from '../../factories/invitations'
import { lastCodeTo, lastMessageTo } from '../../factories/messages'
import { contactsOf, ownAccount, verify } from '../../factories/own-account'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { createProvider } from '../../factories/recovery'
import { askLink, finish, linkSentTo, passResend } from '../../factories/registration'
import { signInByPassword } from '../../factories/sign-in'
import { imported, importOf } from '../../factories/user-import'
import { createUser, password } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

// Both spellings of an international domain are one e-mail (docs/rules/sign-in.md#e-mails-of-international-domains).

useTestDatabase()

let made = 0
const below = caseNumbers(20931)
const freshEmail = () => `person.${++made}@почта.рф`
const faultsOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  ...(((body.data ?? {}) as { errorList?: { field: string; code: string }[] }).errorList?.map(
    ({ field, code }) => `${field} ${code}`,
  ) ?? []),
]
const emailOfAccount = async (id: string) =>
  (await db().select({ email: users.email }).from(users).where(eq(users.id, id)))[0]?.email

describe('an e-mail of an international domain', () => {
  test('signs in in either spelling, as an e-mail and as a login', async () => {
    const email = freshEmail()
    await createUser({ email, login: email })
    for (const typed of [email, asciiEmail(email), email.toUpperCase()])
      for (const kind of ['email', 'login'] as const)
        expect([typed, kind, (await signInByPassword(new Browser(), typed, password, kind)).status]).toEqual([
          typed,
          kind,
          200,
        ])
    expect((await signInByPassword(new Browser(), `person.${made}@почта-рф.рф`, password, 'email')).status).toBe(400)
  })

  test('registers once, in whichever spelling the link is asked for', async () => {
    const email = freshEmail()
    expect((await askLink(new Browser(), asciiEmail(email))).status).toBe(200)
    const secret = await linkSentTo(email)
    expect((await finish(new Browser(), secret, { email: asciiEmail(email) })).status).toBe(200)
    await passResend()
    await askLink(new Browser(), email)
    expect((await lastMessageTo(email))?.template).toBe('registrationKnown')
    expect(
      await db().select({ login: users.login, email: users.email }).from(users).where(eq(users.email, email)),
    ).toEqual([{ login: email, email }])
  })

  test('has one account and one invitation', async () => {
    const administrator = await callerFor(createAccount)
    const email = freshEmail()
    const create = (given: string) =>
      administrator.send(createAccount, {
        body: { values: { login: `own.${++made}`, email: given, lastName: 'Ёлкина' } },
      })
    const { status, body } = await create(asciiEmail(email))
    expect(status).toBe(200)
    expect(await emailOfAccount(body.id as string)).toBe(email)
    expect(faultsOf(await create(email))).toEqual([400, 'values.email errorUnique'])
    // the spelling alone is no change
    const other = await createUser()
    const moved = await administrator.send(updateUser, {
      params: { id: other.id },
      body: { values: { email: asciiEmail(email) }, updatedAt: other.updatedAt.toISOString() },
    })
    expect(faultsOf(moved)).toEqual([400, 'values.email errorUnique'])

    const invited = await invite()
    const wish = (given: string) =>
      createInvitation(invited.master.ctx, {
        email: given,
        contractorId: invited.contractor.id,
        access: [{ organizationId: invited.organization.id, roles: [invited.role.id] }],
      })
    const guest = freshEmail()
    await wish(guest)
    await expect(wish(asciiEmail(guest))).rejects.toMatchObject({ code: 'invitationActive' })
    expect((await lastMessageTo(guest))?.template).toBe('invitation')
  })

  test('is one contact of a person', async () => {
    const { user, caller } = await ownAccount()
    const email = freshEmail()
    await caller.call(requestContactCode, { body: { kind: 'email', value: asciiEmail(email) } })
    const code = await lastCodeTo(email)
    expect((await verify(caller, 'email', email, code, true)).status).toBe(200)
    expect(await emailOfAccount(user.id)).toBe(email)
    const { emails } = await contactsOf(caller)
    expect(emails.filter(({ value }) => value.includes('почта') || value.includes('xn--'))).toMatchObject([
      { value: email, main: true },
    ])
  })

  test('finds the account of a row of a file', async () => {
    const caller = await callerFor(listUsers)
    const email = freshEmail()
    const { id } = await createUser({ email })
    const { run } = await imported(
      caller,
      importOf(['field.email', 'field.lastName'], [[asciiEmail(email), 'Ёлкина']], { by: 'email', mode: 'update' }),
    )
    expect(run).toMatchObject({ state: 'done', done: 1, failed: 0 })
    expect((await db().select().from(users).where(eq(users.id, id)))[0]).toMatchObject({ email, lastName: 'Ёлкина' })
  })

  test('belongs to the provider that claims the domain in either spelling', async () => {
    const { id } = await createProvider({ emailDomains: ['фирма.рф'] })
    dropCached('providers')
    expect((await claimingProvider('a@фирма.рф'))?.id).toBe(id)
    expect((await claimingProvider(asciiEmail('a@фирма.рф')))?.id).toBe(id)
    expect(await claimingProvider('a@другая.рф')).toBeNull()
  })

  test('is found in lists by either spelling and by its parts', async () => {
    const caller = await callerFor(listUsers)
    const email = freshEmail()
    const { id } = await createUser({ email })
    for (const search of [email, asciiEmail(email), `${made}@почта`, `${made}@ПОЧТА.рф`]) {
      const { users: listed } = await caller.call(listUsers, { query: { filter: { search } } } as never)
      expect([search, listed.map((one) => one.id)]).toEqual([search, [id]])
    }
    const { contacts } = await caller.call(searchContacts, { query: { searchValue: asciiEmail(email) } } as never)
    expect(contacts.map(({ userId }) => userId)).toEqual([id])
    const stranger = await callerFor({ access: { area: 'roles' } } as never)
    for (const searchValue of [email, asciiEmail(email)])
      expect((await stranger.call(searchContacts, { query: { searchValue } } as never)).contacts).toEqual([])
  })

  test('is what applications get, in ASCII', async () => {
    const email = freshEmail()
    const { id } = await createUser({ email })
    const claims = await (await accountClaims(id))?.('openid email', 'none')
    expect(claims?.email).toBe(asciiEmail(email))
  })
})

/** Runs what an upgrade does. Returns what it warned of. */
async function upgraded() {
  const client = new pg.Client(
    process.env.DATABASE_URL?.replace(/\/\/[^@]*@/, inject('ownerUrl').match(/\/\/[^@]*@/)?.[0] ?? ''),
  )
  const warnings: object[] = []
  await client.connect()
  try {
    await spellEmails(client, { warn: (details) => warnings.push(details) })
  } finally {
    await client.end()
  }
  return warnings
}

describe('what earlier versions stored in ASCII', () => {
  test('gets its one spelling, but where another row has it', async () => {
    const [first, second] = [
      await createUser({ login: 'x@xn--bcher-kva.example', email: 'x@xn--bcher-kva.example' }),
      await createUser(),
    ]
    await db().insert(userContacts).values({ userId: second.id, kind: 'email', value: 'y@xn--bcher-kva.example' })
    await db()
      .insert(userIdentifiers)
      .values([
        { kind: 'login', value: 'z@xn--bcher-kva.example', userId: second.id },
        { kind: 'login', value: 'z@bücher.example', userId: first.id },
      ])
    const provider = await createProvider({ emailDomains: ['xn--bcher-kva.example', 'polaris.example'] })
    const warnings = await upgraded()
    expect((await db().select().from(users).where(eq(users.id, first.id)))[0]).toMatchObject({
      login: 'x@bücher.example',
      email: 'x@bücher.example',
    })
    const identifiers = await db()
      .select()
      .from(userIdentifiers)
      .where(inArray(userIdentifiers.userId, [first.id, second.id]))
    expect(identifiers.map(({ kind, value }) => `${kind} ${value}`)).toEqual(
      expect.arrayContaining(['email x@bücher.example', 'login x@bücher.example', 'login z@xn--bcher-kva.example']),
    )
    expect(
      await db()
        .select()
        .from(userContacts)
        .where(and(eq(userContacts.userId, second.id), eq(userContacts.value, 'y@bücher.example'))),
    ).toHaveLength(1)
    expect((await db().select().from(providers).where(eq(providers.id, provider.id)))[0]?.emailDomains).toEqual([
      'bücher.example',
      'polaris.example',
    ])
    expect(warnings).toEqual([{ table: 'user_identifiers' }])
    expect(await upgraded()).toHaveLength(1)
    expect((await signInByPassword(new Browser(), 'x@xn--bcher-kva.example', password, 'email')).status).toBe(200)
  })

  test('stays or goes in all that an account has, whoever else has an e-mail in the other spelling', async () => {
    for (const round of eachRound(10)) {
      const word = () => `p${round}.${below(3)}@`
      const [ascii, unicode] = ['xn--bcher-kva.example', 'bücher.example']
      const people: string[] = []
      for (let n = 0; n < 6; n++) {
        const email = word() + (below(2) ? ascii : unicode)
        const login = below(2) ? word() + (below(2) ? ascii : unicode) : `login.${round}.${n}`
        const made = await createUser({ email, login }).catch(() => null)
        if (made) people.push(made.id)
      }
      await upgraded()
      const accounts = await db().select().from(users).where(inArray(users.id, people))
      const identifiers = await db().select().from(userIdentifiers).where(inArray(userIdentifiers.userId, people))
      const all = identifiers.map(({ kind, value }) => `${kind} ${value}`)
      for (const { id, email, login } of accounts) {
        const has = identifiers.filter(({ userId }) => userId === id).map(({ kind, value }) => `${kind} ${value}`)
        expect(has, `round ${round}`).toEqual(expect.arrayContaining([`email ${email}`, `login ${login}`]))
        for (const [kind, value] of Object.entries({ email, login }))
          if (value?.endsWith(ascii))
            // somebody has it, as this or as the other kind
            expect([all.includes(`email ${emailOf(value)}`), all.includes(`login ${emailOf(value)}`)], kind).toContain(
              true,
            )
      }
    }
  })
})
