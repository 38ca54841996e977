import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { users } from '@/db/schema'
import { searchContacts } from '@/lib/accounts/people-search/contract'
import { listHolders } from '@/lib/accounts/role-holders/contract'
import { createAccessRequests, listIncomingRequests, refuseAccess } from '@/lib/companies/access-requests/contract'
import { listContractorInvitations, listContractorPeople } from '@/lib/companies/contractors/contract'
import { listSentInvitations } from '@/lib/joining/sent-invitations/contract'
import { signedInWith } from '../../factories/access'
import { emailOf, idOf, mailsTo, manager, requester } from '../../factories/access-requests'
import { type AnyContract, Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join, plantInvitation } from '../../factories/companies'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

/** An open invitation to a company, by this account. */
const plantInvitationOf = ({ contractor }: Awaited<ReturnType<typeof createContractor>>, inviterId: string) =>
  plantInvitation({ contractorId: contractor.id, inviterId })

test('logins of people are for whoever may read users: others neither see them nor find anybody by them', async () => {
  const company = await createContractor()
  const person = await createUser({ fio: 'Северный Юрий Львович' })
  const nameless = await createUser({ fio: '', lastName: '', firstName: '', middleName: '' })
  const role = await createContractorRole()
  for (const { id } of [person, nameless]) await join(company, id, [role.id])
  const input = (search: string) => ({ filter: { search } })
  const lists = [
    [listContractorPeople, 'contractors.read', company.contractor.id, 'people'],
    [listHolders, 'roles.read', role.id, 'holders'],
  ] as const
  for (const [contract, method, id, name] of lists)
    for (const codes of [[method], [method, 'users.read']]) {
      const caller = new Caller((await signedInWith(codes)).browser)
      const peopleFound = async (search: string) => {
        const sent = { params: { id }, query: input(search) }
        const { body } = await caller.send(contract as unknown as AnyContract, sent)
        return (body as Record<string, { id: string; login: string | null }[]>)[name]
      }
      const seesLogins = codes.length > 1
      expect(await peopleFound('Юрий Льв')).toMatchObject([{ id: person.id, login: seesLogins ? person.login : null }])
      // piece by piece, as somebody would who guesses
      for (const piece of [person.login, person.login.slice(1), person.email ?? '@'])
        expect(await peopleFound(piece), `${method}: ${piece}`).toHaveLength(seesLogins ? 1 : 0)
      expect(await peopleFound(nameless.login), method).toHaveLength(seesLogins ? 1 : 0)
      const all = await caller.send(contract as unknown as AnyContract, { params: { id }, query: {} })
      expect(JSON.stringify(all.body).includes(nameless.login), method).toBe(seesLogins)
    }
  // nor are they in the search for somebody to give a role to, nor as the inviter's name
  await plantInvitationOf(company, nameless.id)
  for (const codes of [['roles.read'], ['contractors.read'], ['roles.read', 'contractors.read', 'users.read']]) {
    const caller = new Caller((await signedInWith(codes)).browser)
    const seesLogins = codes.length > 1
    const answers = [
      await caller.send(searchContacts as unknown as AnyContract, { query: { searchValue: nameless.login } }),
      await caller.send(searchContacts as unknown as AnyContract, { query: { ids: [nameless.id] } }),
      await caller.send(listContractorInvitations as unknown as AnyContract, {
        params: { id: company.contractor.id },
        query: {},
      }),
    ].map(({ body }) => JSON.stringify(body).replaceAll(nameless.email, ''))
    expect(
      answers.some((answer) => answer.includes(nameless.login)),
      codes.join(),
    ).toBe(seesLogins)
    // a guessed e-mail isn't confirmed either, whether or not it is the whole of it
    for (const searchValue of [person.email, person.email.toUpperCase(), person.email.slice(2)]) {
      const { body } = await caller.send(searchContacts as unknown as AnyContract, { query: { searchValue } })
      if (codes.includes('roles.read'))
        expect(body.contacts, `${codes}: ${searchValue}`).toHaveLength(seesLogins ? 1 : 0)
    }
  }
})

test('managers learn no login: not of who asks them, who decided, who invited, nor in the mails about it', async () => {
  const company = await createContractor()
  const [{ caller }, other] = [await manager(company), await manager(company)]
  // logins that no e-mail contains
  const asking = await requester(company.contractor.inn ?? '')
  const nameless = { fio: '', lastName: '', firstName: '', middleName: '' }
  for (const id of [asking.userId, other.id])
    await db()
      .update(users)
      .set({ ...nameless, login: `hidden-${id}` })
      .where(eq(users.id, id))
  await other.caller.call(refuseAccess, { body: { requestIds: [asking.requestId], reason: 'Нет договора' } })
  const again = new Caller(asking.caller.browser)
  await again.call(createAccessRequests, {
    body: { companies: [{ name: 'АО «Лиман»', inn: company.contractor.inn ?? '', kpp: '770101001', roles: [] }] },
  })
  await plantInvitationOf(company, other.id)
  const answers = [
    await caller.call(listIncomingRequests, { query: {} }),
    await caller.call(listSentInvitations, { query: {} }),
    await mailsTo(await emailOf(await idOf(caller)), 'accessRequested'),
  ].map((answer) => JSON.stringify(answer))
  expect(answers[0]).toContain(asking.requestId)
  expect(answers.filter((answer) => answer.includes('hidden-'))).toEqual([])
})
