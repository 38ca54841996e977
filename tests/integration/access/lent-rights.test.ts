import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { db } from '@/db/client'
import { contractors, invitationRoles, invitations, roleMethods, roles, userRoles } from '@/db/schema'
import { mergeContractors } from '@/lib/companies/contractors/contract'
import {
  createProviderMapper,
  listProviderMappers,
  updateProviderMapper,
} from '@/lib/directory-sync/provider-mappers/contract'
import {
  enableIntegrationSync,
  readIntegrationSync,
  resumeIntegrationRun,
  updateIntegrationSync,
} from '@/lib/exchanges/exchanges/contract'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContractor, createContractorRole, join, newEmail, plantInvitation } from '../../factories/companies'
import { createDirectory, enableSync, synced } from '../../factories/directory'
import { accountOf } from '../../factories/directory-people'
import { connect, exchanged, workOnExchange } from '../../factories/integration'
import { contractorItem } from '../../factories/integration-items'
import { contextOf } from '../../factories/invitations'
import { directoryPerson, startKeycloak } from '../../factories/keycloak'
import { startOtherSystem } from '../../factories/other-system'
import { methodIdsOf, plantApplicationMethod, signedInAdministrator } from '../../factories/roles'
import { createUser } from '../../factories/users'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()

const gives = async (roleId: string, ...ids: string[]) =>
  void (await db()
    .insert(roleMethods)
    .values(ids.map((methodId) => ({ roleId, methodId }))))

/** A directory of an administrator, of which somebody who holds `providers.write` alone has changed a mapper since. */
async function directoryOfLesser() {
  const [{ caller: chief }, keycloak] = [await signedInAdministrator(), await startKeycloak()]
  const ivan = directoryPerson({ roles: [] })
  keycloak.people = [ivan]
  const directory = await createDirectory(chief, keycloak.url)
  await enableSync(chief, directory)
  const lesser = new Caller((await signedInWith(['providers.write'])).browser)
  return { chief, lesser, keycloak, ivan, directory, params: { syncId: directory.syncId } }
}

test.each(['the platform', 'an application'])(
  'a directory that somebody with less set up gives no role that got a method of %s since, whoever starts the run',
  async (whose) => {
    const { chief, lesser, keycloak, ivan, directory, params } = await directoryOfLesser()
    const [role, other] = [await createContractorRole([], 'systemic'), await createContractorRole([], 'systemic')]
    const attributes = [role, other].map(({ id }, at) => ({ attribute: `boss${at}`, value: id }))
    const mapper = { type: 'users-access', name: 'Роли', before: 'roles', after: 'role', attributes }
    await lesser.call(createProviderMapper, { params, body: mapper as never })
    const [method = ''] =
      whose === 'the platform' ? await methodIdsOf('license.write') : [(await plantApplicationMethod()).method.id]
    await gives(role.id, method)
    Object.assign(ivan, { roles: ['boss0', 'boss1'] })
    keycloak.people = [ivan, directoryPerson({ roles: ['boss0', 'boss1'] })]
    await synced(chief, directory.id)
    for (const { id } of keycloak.people) {
      const userId = (await accountOf(id))?.id ?? ''
      const heldRoles = (await db().select().from(userRoles).where(eq(userRoles.userId, userId))).map(
        ({ roleId }) => roleId,
      )
      expect(heldRoles).not.toContain(role.id)
      // what whoever set it up may give is given
      expect(heldRoles).toContain(other.id)
    }
  },
)

test('nor does it change whoever may come to more by a role that is off', async () => {
  const { chief, lesser, ivan, directory, params } = await directoryOfLesser()
  const { mappers } = await lesser.call(listProviderMappers, { params })
  const { id = '', enabled: _, ...body } = mappers.find(({ after }) => after === 'email') ?? {}
  const attributes = [{ attribute: ivan.email, value: `${crypto.randomUUID()}@evil.example` }]
  await lesser.call(updateProviderMapper, { params: { ...params, id }, body: { ...body, attributes } as never })
  const role = await createContractorRole(['license.write'], 'systemic')
  await db().update(roles).set({ enabled: false }).where(eq(roles.id, role.id))
  const userId = (await accountOf(ivan.id))?.id ?? ''
  await db().insert(userRoles).values({ userId, roleId: role.id })
  const { faults } = await synced(chief, directory.id)
  expect(faults.map(({ code }) => code)).toEqual(['forbiddenUser'])
  expect((await accountOf(ivan.id))?.email).toBe(ivan.email)
})

/** A company that is off, in which somebody holds `license.write`, and a source of somebody with less that switches it on. */
async function sourceOfLesser() {
  const [{ caller: chief }, source] = [await signedInAdministrator(), await startOtherSystem()]
  const company = await createContractor()
  const item = contractorItem({ enabled: true })
  const values = { externalCode: String(item.externalCode), enabled: false }
  await db().update(contractors).set(values).where(eq(contractors.id, company.contractor.id))
  await join(company, (await createUser()).id, [(await createContractorRole(['license.write'])).id])
  source.items = [item]
  const lesser = new Caller((await signedInWith(['integration.write', 'contractors.write'])).browser)
  const id = await connect(lesser, 'contractors.import', source.url)
  const isOn = async () =>
    (await db().select().from(contractors).where(eq(contractors.id, company.contractor.id)))[0]?.enabled
  const save = (caller: Caller) =>
    caller.call(updateIntegrationSync, { params: { id }, body: { url: source.url, pageSize: 10 } })
  return { chief, lesser, source, id, isOn, save }
}

test('an administrator who starts an exchange doesn’t lend their rights to whoever entered its address', async () => {
  const { chief, id, isOn, save } = await sourceOfLesser()
  const isVouched = async () => (await chief.call(readIntegrationSync, { params: { id } })).synchronization.vouched
  const { faults } = await exchanged(chief, id)
  expect(faults.map(({ code }) => code)).toEqual(['forbiddenContractor'])
  expect(await isOn()).toBe(false)
  expect(await isVouched()).toBe(false)
  // who saves it vouches for it
  await save(chief)
  expect(await isVouched()).toBe(true)
  expect((await exchanged(chief, id)).run).toMatchObject({ state: 'done', failed: 0 })
  expect(await isOn()).toBe(true)
})

test('nor do they by letting a run go on whose rows were read before they saved the exchange', async () => {
  const { chief, lesser, source, id, isOn, save } = await sourceOfLesser()
  source.items.push(...Array.from({ length: 10 }, () => contractorItem()))
  source.instead = (_, count) => (count > 1 ? 403 : undefined)
  const { id: runId, run: stopped } = await exchanged(lesser, id)
  expect(stopped).toMatchObject({ state: 'stopped', total: 10 })
  source.instead = () => undefined
  source.items = []
  await save(chief)
  await chief.call(resumeIntegrationRun, { params: { id: runId } })
  const { run } = await workOnExchange(chief, runId)
  expect(run).toMatchObject({ state: 'stopped', fault: 'integrationActorChanged' })
  expect(await isOn()).toBe(false)
})

test('nor do they to whoever has switched it on, but they vouch by switching it on', async () => {
  const { chief, lesser, id, isOn } = await sourceOfLesser()
  for (const enabled of [false, true]) await lesser.call(enableIntegrationSync, { params: { id }, body: { enabled } })
  await exchanged(chief, id)
  expect(await isOn()).toBe(false)
  for (const enabled of [false, true]) await chief.call(enableIntegrationSync, { params: { id }, body: { enabled } })
  await exchanged(chief, id)
  expect(await isOn()).toBe(true)
})

test('an exchange of somebody who has lost the method of its data stops, whoever starts it', async () => {
  const { chief, lesser, id, save } = await sourceOfLesser()
  const userId = (await contextOf(lesser.browser)).user?.id ?? ''
  await db().delete(userRoles).where(eq(userRoles.userId, userId))
  expect((await exchanged(chief, id)).run).toMatchObject({ state: 'stopped', fault: 'integrationActorRights' })
  await save(chief)
  expect((await exchanged(chief, id)).run.state).toBe('done')
})

test('a merge of companies lends no inviter the rights of the one who invited last', async () => {
  const { caller: chief, user } = await signedInAdministrator()
  const email = newEmail()
  const lesser = await plantInvitation({ email, sentAt: new Date(Date.now() - 60_000) })
  await gives(lesser.role.id, ...(await methodIdsOf('license.write')))
  const plain = await createContractorRole()
  const { organizationId } =
    (await db().select().from(invitationRoles).where(eq(invitationRoles.invitationId, lesser.id)))[0] ?? {}
  await db()
    .insert(invitationRoles)
    .values({ invitationId: lesser.id, organizationId: organizationId ?? '', roleId: plain.id })
  const last = await plantInvitation({ email, inviterId: user.id })
  await chief.call(mergeContractors, {
    body: { targetId: last.contractor.id, sourceIds: [lesser.contractor.id] } as never,
  })
  const given = await db().select().from(invitationRoles).where(eq(invitationRoles.invitationId, last.id))
  expect(given.map(({ roleId }) => roleId).sort()).toEqual([last.role.id, plain.id].sort())
  const [revoked] = await db().select().from(invitations).where(eq(invitations.id, lesser.id))
  expect(revoked?.status).toBe('deleted')
})
