import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { domainDocuments, domainLocales, domains, locales, userAgreements, users } from '@/db/schema'
import * as documents from '@/lib/documents/documents/contract'
import * as banners from '@/lib/site/banners/contract'
import * as languages from '@/lib/site/locales/contract'
import type { Caller } from '../../factories/caller'
import { freeLanguageCode } from '../../factories/language-codes'
import { proof } from '../../factories/proofs'

const russian = async () => {
  const [row] = await db().select().from(locales).where(eq(locales.code, 'ru'))
  if (!row) throw new Error('there is no Russian')
  return row
}
const baseDomain = async () => {
  const [row] = await db().select().from(domains).where(eq(domains.base, true))
  if (!row) throw new Error('there is no base domain')
  return row.id
}

const texts = async (name: string) => [
  { localeId: (await russian()).id, name, linkName: 'правила', content: '# Текст' },
]
const documentBody = async () => ({
  code: randomUUID(),
  type: 'document' as const,
  adminVisible: true,
  format: 'md' as const,
  locales: await texts('Правила'),
})
const newDocument = async (caller: Caller) => {
  const body = await documentBody()
  const { id } = await caller.call(documents.createDocument, { body })
  return { id, body }
}
const documentsLike = async (caller: Caller, search: string) =>
  (await caller.call(documents.listDocuments, { query: { filter: { search } } })).documents
const wrongLocale = async () =>
  [{ ...(await texts('x'))[0], localeId: randomUUID() }] as Awaited<ReturnType<typeof texts>>
const inDomain = async (id: string) => {
  await db()
    .insert(domainDocuments)
    .values({ domainId: await baseDomain(), documentId: id })
}

const bannerBody = () => ({ title: 'Работы', code: randomUUID(), text: 'Ночью', link: '/platform/help' })
const newBanner = async (caller: Caller) => {
  const body = bannerBody()
  const { id } = await caller.call(banners.createBanner, { body })
  return { id, body }
}
const bannersLike = async (caller: Caller, search: string) =>
  (await caller.call(banners.listBanners, { query: { filter: { search } } })).banners

const newLocale = async (caller: Caller) => {
  const body = { name: randomUUID(), code: freeLanguageCode() }
  const { id } = await caller.call(languages.createLocale, { body })
  return { id, body }
}
const localesLike = async (caller: Caller, search: string) =>
  (await caller.call(languages.listLocales, { query: { filter: { search } } })).locales

export default [
  proof(documents.listDocuments, {
    prepare: newDocument,
    input: ({ body }) => ({ query: { filter: { search: body.code } } }),
    shows: ({ id, body: { code } }) => ({
      documents: [{ id, code, name: 'Правила', version: 1, enabled: true, languages: ['ru'], domainsCount: 0 }],
    }),
  }),
  proof(documents.readDocument, {
    prepare: newDocument,
    input: ({ id }) => ({ params: { id } }),
    shows: ({ id, body }) => ({ id, ...body }),
  }),
  proof(documents.searchDocuments, {
    prepare: newDocument,
    input: ({ id }) => ({ query: { ids: [id] } }),
    shows: ({ id, body: { code } }) => ({
      documents: [{ id, code, name: 'Правила', linkName: 'правила', type: 'document' }],
    }),
  }),
  proof(documents.createDocument, {
    makes: ['create documents'],
    prepare: documentBody,
    input: (body) => ({ body }),
    look: (caller, { code }) => documentsLike(caller, code),
    shows: ({ code }) => [{ code, type: 'document', format: 'md', adminVisible: true, enabled: true }],
    errors: {
      errorUnique: {
        field: 'code',
        input: async (caller) => ({ body: (await newDocument(caller)).body }),
      },
      errorLocale: {
        field: 'locales.0.localeId',
        input: async () => ({ body: { ...(await documentBody()), locales: await wrongLocale() } }),
      },
    },
  }),
  proof(documents.updateDocument, {
    makes: ['update documents'],
    prepare: async (caller) => {
      const made = await newDocument(caller)
      return { ...made, after: { ...made.body, type: 'agreement' as const, locales: await texts('Согласие') } }
    },
    input: ({ id, after }) => ({ params: { id }, body: { ...after, agreeAgain: true } }),
    look: (caller, { id }) => caller.call(documents.readDocument, { params: { id } }),
    shows: ({ id, after }) => ({ id, ...after, version: 2 }),
    errors: {
      errorUnique: {
        field: 'code',
        input: async (caller, { id, body }) => ({
          params: { id },
          body: { ...body, code: (await newDocument(caller)).body.code },
        }),
      },
      errorLocale: {
        field: 'locales.0.localeId',
        input: async (_, { id, body }) => ({ params: { id }, body: { ...body, locales: await wrongLocale() } }),
      },
      errorUsedAs: {
        field: 'type',
        input: async (caller) => {
          const { id, body } = await newDocument(caller)
          await inDomain(id)
          return { params: { id }, body: { ...body, type: 'agreement' } }
        },
      },
    },
  }),
  proof(documents.enableDocument, {
    makes: ['update documents'],
    prepare: newDocument,
    input: ({ id }) => ({ params: { id }, body: { enabled: false } }),
    look: (caller, { body }) => documentsLike(caller, body.code),
    shows: ({ id }) => [{ id, enabled: false }],
  }),
  proof(documents.deleteDocument, {
    makes: ['delete documents'],
    prepare: newDocument,
    input: ({ id }) => ({ params: { id } }),
    look: (caller, { body }) => documentsLike(caller, body.code),
    shows: () => [],
    errors: {
      documentUsed: {
        input: async (caller) => {
          const { id } = await newDocument(caller)
          await inDomain(id)
          return { params: { id } }
        },
      },
      documentAgreed: {
        input: async (caller) => {
          const { id } = await newDocument(caller)
          const [person] = await db().select({ id: users.id }).from(users).limit(1)
          if (!person) throw new Error('there is nobody')
          await db().insert(userAgreements).values({ userId: person.id, documentId: id, version: 1, ip: '192.0.2.1' })
          return { params: { id } }
        },
      },
    },
  }),

  proof(banners.listBanners, {
    prepare: newBanner,
    input: ({ body }) => ({ query: { filter: { search: body.code } } }),
    shows: ({ id, body }) => ({ banners: [{ id, ...body, visible: true, domainsCount: 0 }] }),
  }),
  proof(banners.searchBanners, {
    prepare: newBanner,
    input: ({ id }) => ({ query: { ids: [id] } }),
    shows: ({ id, body }) => ({ banners: [{ id, ...body, visible: true }] }),
  }),
  proof(banners.createBanner, {
    makes: ['create banners'],
    prepare: async () => bannerBody(),
    input: (body) => ({ body }),
    look: (caller, { code }) => bannersLike(caller, code),
    shows: (body) => [{ ...body, visible: true }],
    errors: {
      errorUnique: { field: 'code', input: async (caller) => ({ body: (await newBanner(caller)).body }) },
    },
  }),
  proof(banners.updateBanner, {
    makes: ['update banners'],
    prepare: newBanner,
    input: ({ id, body }) => ({ params: { id }, body: { ...body, title: 'Другой', link: '' } }),
    look: (caller, { body }) => bannersLike(caller, body.code),
    shows: ({ id }) => [{ id, title: 'Другой', link: '' }],
    errors: {
      errorUnique: {
        field: 'code',
        input: async (caller, { id, body }) => ({
          params: { id },
          body: { ...body, code: (await newBanner(caller)).body.code },
        }),
      },
    },
  }),
  proof(banners.showBanner, {
    makes: ['update banners'],
    prepare: newBanner,
    input: ({ id }) => ({ params: { id }, body: { visible: false } }),
    look: (caller, { body }) => bannersLike(caller, body.code),
    shows: ({ id }) => [{ id, visible: false }],
  }),
  proof(banners.deleteBanner, {
    makes: ['delete banners'],
    prepare: newBanner,
    input: ({ id }) => ({ params: { id } }),
    look: (caller, { body }) => bannersLike(caller, body.code),
    shows: () => [],
    errors: {
      bannerUsed: {
        input: async (caller) => {
          const { id } = await newBanner(caller)
          const { settings } = domainLocales
          const withBanner = sql`jsonb_set(${settings}, '{banners}', ${settings} -> 'banners' || ${JSON.stringify([id])}::jsonb)`
          await db()
            .update(domainLocales)
            .set({ settings: withBanner })
            .where(eq(domainLocales.domainId, await baseDomain()))
          return { params: { id } }
        },
      },
    },
  }),

  proof(languages.listLocales, {
    prepare: newLocale,
    input: ({ body }) => ({ query: { filter: { search: body.name } } }),
    shows: ({ id, body }) => ({ locales: [{ id, ...body, enabled: true, immutable: false, domainsCount: 0 }] }),
  }),
  proof(languages.createLocale, {
    makes: ['create locales'],
    prepare: async () => ({ name: randomUUID(), code: freeLanguageCode() }),
    input: (body) => ({ body }),
    look: (caller, { name }) => localesLike(caller, name),
    shows: (body) => [{ ...body, enabled: true }],
    errors: {
      errorUnique: { field: 'code', input: () => ({ body: { name: 'Русский', code: 'ru' } }) },
    },
  }),
  proof(languages.updateLocale, {
    makes: ['update locales'],
    prepare: async (caller) => ({ ...(await newLocale(caller)), name: randomUUID() }),
    input: ({ id, body, name }) => ({ params: { id }, body: { name, code: body.code } }),
    look: (caller, { name }) => localesLike(caller, name),
    shows: ({ id, name }) => [{ id, name }],
    errors: {
      errorUnique: {
        field: 'code',
        input: (_, { id }) => ({ params: { id }, body: { name: 'Русский', code: 'ru' } }),
      },
      errorImmutable: {
        field: 'code',
        input: async () => ({ params: { id: (await russian()).id }, body: { name: 'Русский', code: 'zzz' } }),
      },
    },
  }),
  proof(languages.enableLocale, {
    makes: ['update locales'],
    prepare: newLocale,
    input: ({ id }) => ({ params: { id }, body: { enabled: false } }),
    look: (caller, { body }) => localesLike(caller, body.name),
    shows: ({ id }) => [{ id, enabled: false }],
    errors: {
      localeLast: {
        input: async () => {
          const { id } = await russian()
          await db()
            .update(domainLocales)
            .set({ enabled: sql`${domainLocales.localeId} = ${id}` })
          return { params: { id }, body: { enabled: false } }
        },
      },
    },
  }),
  proof(languages.deleteLocale, {
    makes: ['delete locales'],
    prepare: newLocale,
    input: ({ id }) => ({ params: { id } }),
    look: (caller, { body }) => localesLike(caller, body.name),
    shows: () => [],
    errors: {
      localeImmutable: { input: async () => ({ params: { id: (await russian()).id } }) },
      localeUsed: {
        input: async (caller) => {
          const { id } = await newLocale(caller)
          const [row] = await db().select().from(domainLocales).limit(1)
          if (!row) throw new Error('no domain has a language')
          await db()
            .insert(domainLocales)
            .values({ ...row, localeId: id })
          return { params: { id } }
        },
      },
    },
  }),
]
