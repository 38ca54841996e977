import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { db } from '@/db/client'
import { dynamicFields, users } from '@/db/schema'
import { updateUser } from '@/lib/account-administration/accounts/contract'
import { readUser } from '@/lib/accounts/administration/contract'
import { userBlocks } from '@/lib/accounts/user-table/fields'
import {
  createProviderMapper,
  enableProviderMapper,
  listProviderMappers,
} from '@/lib/directory-sync/provider-mappers/contract'
import { configureProfile, readProfileDetails, updateProfile } from '@/lib/my-account/personal/contract'
import { signedInWith } from '../../factories/access'
import { Caller } from '../../factories/caller'
import { createContext } from '../../factories/context'
import { createDirectory } from '../../factories/directory'
import { administrator, refusal } from '../../factories/directory-people'
import { defineField } from '../../factories/fields'
import { startKeycloak } from '../../factories/keycloak'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
beforeAll(() => db().update(dynamicFields).set({ profileEdit: true, adminRequired: false }))

test('a field that a mapper fills is read-only for its person and for administrators, and for nobody else’s accounts', async () => {
  const [keeper, keycloak] = [await administrator(), await startKeycloak()]
  const [filled, free] = [await defineField(), await defineField()]
  const directory = await createDirectory(keeper, keycloak.url)
  const { syncId } = directory
  const maps = (before: string, after: string) =>
    keeper.call(createProviderMapper, {
      params: { syncId },
      body: { type: 'users-base', name: randomUUID(), before, after, customAttributes: true },
    })
  await maps('place', filled)
  await maps('phone', 'mobile')
  await maps('born', 'birthDate')
  const [{ browser, user }, { browser: of, user: other }] = [
    await signedInWith([]),
    await signedInWith(['users.write']),
  ]
  const [person, administrates] = [new Caller(browser), new Caller(of)]
  await db().update(users).set({ providerId: directory.id, externalId: randomUUID() }).where(eq(users.id, user.id))

  const keptCodes = [filled, 'mobile', 'birthDate', 'login', 'email', 'fio', 'lastName', 'firstName', 'middleName']
  const write = async (code: string) => {
    const values = { [code]: code === 'birthDate' ? '1990-01-01' : code === 'mobile' ? '+79161112233' : 'x' }
    const { status, body } = await administrates.send(updateUser, { params: { id: user.id }, body: { values } })
    return [status, (body as { data?: { errorList?: { code: string }[] } }).data?.errorList?.[0]?.code]
  }
  for (const code of keptCodes) expect(await write(code), code).toEqual([400, 'errorDirectoryField'])
  expect(await write(free)).toEqual([200, undefined])
  const ctx = await createContext({ methods: ['users.read'] })
  const shownFields = (await userBlocks(ctx, directory.id)).flatMap(({ fields }) => fields)
  expect(shownFields.find(({ code }) => code === filled)).toMatchObject({ edit: false, directory: true })
  expect(shownFields.find(({ code }) => code === free)).toMatchObject({ edit: true, directory: false })

  const refusalOfOwn = async (body: object) => refusal(person, updateProfile, { body })
  expect(await refusalOfOwn({ additionalInfo: { [filled]: 'x' } })).toEqual([400, 'errorReadOnly'])
  expect(await refusalOfOwn({ mainInfo: { birthDate: '1990-01-01' } })).toEqual([400, 'errorReadOnly'])
  expect(await refusalOfOwn({ mainInfo: { firstName: 'Другая' } })).toEqual([400, 'errorDirectoryName'])
  await person.call(updateProfile, { body: { additionalInfo: { [free]: 'y' } } })
  const { tabs } = await person.call(configureProfile)
  const editable = tabs.flatMap(({ subtypes }) => subtypes.flatMap(({ fields }) => fields)).filter(({ edit }) => edit)
  expect(editable.map(({ code }) => code)).toContain(free)
  for (const code of keptCodes) expect(editable.map((field) => field.code)).not.toContain(code)
  const details = await person.call(readProfileDetails)
  expect(details.mainInfo.kept.toSorted()).toEqual(keptCodes.toSorted())

  // of an account that the platform itself keeps nothing is anybody else's
  const mine = { params: { id: other.id }, body: { values: { [filled]: 'mine', birthDate: '1990-01-01' } } }
  await administrates.call(updateUser, mine)
  expect((await administrates.call(readUser, { params: { id: other.id } })).values).toMatchObject({ [filled]: 'mine' })

  // a mapper that is off fills nothing
  const { mappers } = await keeper.call(listProviderMappers, { params: { syncId } })
  const mapper = mappers.find(({ after }) => after === filled)
  const off = { params: { syncId, id: mapper?.id ?? '' }, body: { enabled: false } }
  await keeper.call(enableProviderMapper, off)
  expect(await write(filled)).toEqual([200, undefined])
})
