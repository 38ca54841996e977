import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { db } from '@/db/client'
import {
  documentLocales,
  documents,
  domainAgreements,
  domains,
  dynamicFields,
  locales,
  providers,
  users,
} from '@/db/schema'
import { dropCached, invalidate } from '@/lib/base/cache/cache'
import { setAgreement } from '@/lib/my-account/agreements/contract'
import { configureProfile, getProfile, readProfileDetails, updateProfile } from '@/lib/my-account/personal/contract'
import { invalidateSessions } from '@/lib/sign-in/sessions/service'
import { type Caller, callerFor } from '../../factories/caller'
import { createContractor, createContractorRole, join, openService } from '../../factories/companies'
import { defineField, newCode, refusedValues } from '../../factories/fields'
import { codeFor, contactCases, contactsOf, freshEmail, verify } from '../../factories/own-account'
import { first } from '../../factories/platform'
import { proof } from '../../factories/proofs'
import { createProvider } from '../../factories/recovery'

const idOf = (caller: Caller) => caller.serve(async ({ user }) => user?.id ?? '')
const write = async (caller: Caller, values: Partial<typeof users.$inferInsert>) =>
  db()
    .update(users)
    .set(values)
    .where(eq(users.id, await idOf(caller)))

/** Another first name for the caller. */
const renamed = async (caller: Caller) => {
  const [firstName, id] = [randomUUID(), await idOf(caller)]
  await write(caller, { firstName })
  const refreshed = await invalidateSessions(db(), id, new Date())
  await refreshed()
  return { firstName }
}

const details = (caller: Caller) => caller.call(readProfileDetails)

/** How a value of a field with this definition is refused. */
function refused(wishes: Parameters<typeof defineField>[0], value: string) {
  const code = newCode()
  return {
    field: `additionalInfo.${code}`,
    input: async () => {
      await defineField({ ...wishes, code })
      return { body: { additionalInfo: { [code]: value } } }
    },
  }
}

const taken = { code: newCode(), value: randomUUID() }
/** A field whose value somebody else has. */
async function takenValue() {
  await defineField({ unique: true, code: taken.code })
  const other = await callerFor(updateProfile)
  await other.call(updateProfile, { body: { additionalInfo: { [taken.code]: taken.value } } })
  return { body: { additionalInfo: { [taken.code]: taken.value.toUpperCase() } } }
}

/** Lets people change their login. */
async function editableLogin() {
  await db().update(dynamicFields).set({ profileEdit: true }).where(eq(dynamicFields.code, 'login'))
  await invalidate(db(), 'dynamic-fields')
  dropCached('dynamic-fields')
}

const directory = async () =>
  first(
    await db()
      .insert(providers)
      .values({ type: 'keycloak', name: randomUUID(), url: 'https://d.example', clientId: 'a', clientSecret: 'b' })
      .returning(),
  ).id

/** What the form's tabs contain of a field. */
const expectField = (field: object) =>
  expect.arrayContaining([
    expect.objectContaining({
      id: 'users_main',
      subtypes: expect.arrayContaining([
        expect.objectContaining({ fields: expect.arrayContaining([expect.objectContaining(field)]) }),
      ]),
    }),
  ])

/** An agreement that the profile of the base domain shows. */
async function newAgreement(loginRequired = false) {
  const code = `terms-${randomUUID()}`
  const document = first(await db().insert(documents).values({ code, type: 'agreement' }).returning())
  const ru = first(await db().select().from(locales).where(eq(locales.code, 'ru')))
  const text = { documentId: document.id, version: 1, localeId: ru.id, name: code, linkName: code, content: 'Текст' }
  await db().insert(documentLocales).values(text)
  const base = first(await db().select().from(domains).where(eq(domains.base, true)))
  await db()
    .insert(domainAgreements)
    .values({ domainId: base.id, documentId: document.id, profileVisible: true, loginRequired })
  return { id: document.id, title: code }
}

export default [
  proof(getProfile, {
    prepare: renamed,
    input: () => ({}),
    shows: (user) => ({ user, availableActions: { updatePassword: true, setPassword: false } }),
  }),
  proof(configureProfile, {
    prepare: async () => ({ code: await defineField({ fieldType: 'date', maxLength: 40 }) }),
    input: () => ({}),
    shows: ({ code }) => ({
      useUserFio: true,
      tabs: expectField({ code, base: false, fieldType: 'date', edit: true, maxLength: 40 }),
    }),
  }),
  proof(readProfileDetails, {
    prepare: async (caller) => {
      const code = await defineField({ fieldType: 'dropbox', multiple: true })
      const value = [randomUUID()]
      await write(caller, { values: { [code]: value }, gender: 'woman' })
      const role = await createContractorRole()
      const name = await openService(role.id)
      await join(await createContractor(), await idOf(caller), [role.id])
      return { code, value, role, name }
    },
    input: () => ({}),
    shows: ({ code, value, role, name }) => ({
      additionalInfo: { [code]: value },
      mainInfo: { gender: 'woman' },
      accessInfo: {
        services: expect.arrayContaining([
          {
            id: expect.any(String),
            name,
            roles: [{ roleId: role.id, roleName: role.name }],
            methods: [{ methodId: expect.any(String), methodName: 'Вход' }],
          },
        ]),
      },
    }),
  }),
  proof(updateProfile, {
    makes: ['update users'],
    prepare: async (caller) => {
      await write(caller, { isEditable: true, providerId: null })
      return { code: await defineField(), value: randomUUID(), firstName: `Анна-${randomUUID()}` }
    },
    input: ({ code, value, firstName }) => ({
      body: { mainInfo: { firstName, gender: 'woman', birthDate: '1990-02-28' }, additionalInfo: { [code]: value } },
    }),
    look: details,
    shows: ({ code, value, firstName }) => ({
      mainInfo: { firstName, gender: 'woman', birthDate: '1990-02-28' },
      additionalInfo: { [code]: value },
    }),
    errors: {
      ...contactCases,
      ...Object.fromEntries(
        Object.entries(refusedValues).map(([code, { wishes, value }]) => [code, refused(wishes, value)]),
      ),
      errorReadOnly: refused({ profileEdit: false }, 'x'),
      errorUnique: { field: `additionalInfo.${taken.code}`, input: takenValue },
      errorBirthDate: {
        field: 'mainInfo.birthDate',
        input: () => ({ body: { mainInfo: { birthDate: '1990-02-30' } } }),
      },
      errorLogin: {
        field: 'mainInfo.login',
        input: async () => {
          await editableLogin()
          return { body: { mainInfo: { login: '123' } } }
        },
      },
      errorDirectoryName: {
        field: 'mainInfo.firstName',
        input: async (caller) => {
          await write(caller, { providerId: await directory() })
          return { body: { mainInfo: { firstName: 'Другая' } } }
        },
      },
      tooManyAttempts: {
        by: async () => {
          const caller = await callerFor(updateProfile)
          const code = await defineField({ unique: true })
          for (let n = 0; n < 10; n++)
            await caller.call(updateProfile, { body: { additionalInfo: { [code]: randomUUID() } } })
          return caller
        },
        input: async () => ({ body: { additionalInfo: { [await defineField({ unique: true })]: 'x' } } }),
      },
      errorDirectoryEmail: {
        field: 'contacts.emails.1.value',
        input: async (caller) => {
          await write(caller, { isEditable: true, providerId: await directory() })
          const value = freshEmail()
          await verify(caller, 'email', value, await codeFor(caller, 'email', value))
          const [main] = (await contactsOf(caller)).emails
          const emails = [{ value: main?.value ?? '' }, { value, main: true }]
          return { body: { contacts: { emails } } }
        },
      },
      errorEmailOfDirectory: {
        field: 'contacts.emails.1.value',
        input: async (caller) => {
          await write(caller, { isEditable: true, providerId: null })
          const value = `anna@${randomUUID()}.example`
          await createProvider({ emailDomains: [value.slice('anna@'.length)] })
          await verify(caller, 'email', value, await codeFor(caller, 'email', value))
          const [main] = (await contactsOf(caller)).emails
          const emails = [{ value: main?.value ?? '' }, { value, main: true }]
          return { body: { contacts: { emails } } }
        },
      },
      profileReadOnly: {
        input: async (caller) => {
          await write(caller, { isEditable: false, providerId: null })
          return { body: { mainInfo: { firstName: 'Другая' } } }
        },
      },
    },
  }),
  proof(setAgreement, {
    makes: ['update users'],
    prepare: () => newAgreement(),
    input: ({ id }) => ({ params: { id }, body: { agree: true, version: 1 } }),
    look: async (caller, { id }) => (await details(caller)).termsInfo.filter((term) => term.id === id),
    shows: ({ title }) => [{ title, status: 'received', agreedVersion: 1, loginRequired: false }],
    errors: {
      agreementRequired: {
        input: async () => ({ params: { id: (await newAgreement(true)).id }, body: { agree: false, version: 1 } }),
        // otherwise everybody who signs in later would have to agree
        within: (work) =>
          work().finally(() => db().delete(domainAgreements).where(eq(domainAgreements.loginRequired, true))),
      },
      conflict: { input: (_, { id }) => ({ params: { id }, body: { agree: true, version: 2 } }) },
    },
  }),
]
