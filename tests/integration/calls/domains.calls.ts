import { randomUUID } from 'node:crypto'
import { db } from '@/db/client'
import { applicationDomains, domains } from '@/db/schema'
import { dropCached } from '@/lib/base/cache/cache'
import type { CallInput } from '@/lib/base/contracts/contract'
import { env } from '@/lib/base/runtime/env'
import { searchDeviceTypes } from '@/lib/site/device-types/contract'
import {
  createDomain,
  deleteDomain,
  enableDomain,
  listDomains,
  listStyleTemplates,
  readBaseSettings,
  readDomain,
  searchDomains,
  updateDomain,
} from '@/lib/site/domains/contract'
import { domainByHost } from '@/lib/site/domains/service'
import { signedInWith } from '../../factories/access'
import { newApplication } from '../../factories/applications'
import { Caller } from '../../factories/caller'
import { localeId } from '../../factories/platform'
import { proof, provenIn } from '../../factories/proofs'
import { createUser } from '../../factories/users'
import { letInOn } from '../../factories/ways-in'

type Body = CallInput<typeof createDomain>['body']
const domain = (more: Partial<Body> = {}) => ({
  comment: 'Партнёры',
  timeZone: 'asia/yekaterinburg',
  aliases: [`${randomUUID()}.example`],
  ...more,
})
const newDomain = async (caller: Caller, more: Partial<Body> = {}) => {
  const body = domain(more)
  return { ...body, ...(await caller.call(createDomain, { body })) }
}
const read = (caller: Caller, id: string) => caller.call(readDomain, { params: { id } })
const hosted = async (caller: Caller, search: string) =>
  (await caller.call(listDomains, { query: { filter: { search } } })).domains
const platformHost = () => new URL(env().PUBLIC_URL).hostname
const base = async () => (await domainByHost('')).id

/** The body that changes nothing of the base domain, on which tests work. */
const baseBody = async (caller: Caller, more: Partial<Body>) => {
  const { id, updatedAt: _, logoId: __, ...body } = await read(caller, await base())
  return { params: { id }, body: { ...(body as Body), ...more } }
}
const withTakenAlias = async (caller: Caller) =>
  domain({ aliases: ['free.example', (await newDomain(caller)).aliases[0] ?? ''] })

/** Somebody who may change domains and is no administrator. */
const editor = async () => new Caller((await signedInWith(['domains.write'])).browser)

/** Only on this domain the last administrator could sign in. Returns the limits of all others. */
const onlyWay = async (id: string) => letInOn(id, (await createUser()).id)
/** Afterwards people sign in everywhere again. */
const everywhere = async () => {
  await db().update(domains).set({ devicesIdAttributes: {} })
  dropCached('domains')
}

export default [
  proof(listDomains, {
    prepare: newDomain,
    input: ({ aliases }) => ({ query: { filter: { search: aliases[0] ?? '' } } }),
    shows: ({ id, aliases }) => ({ domains: [{ id, aliases, base: false, enabled: true, cookie: true, locales: [] }] }),
  }),
  proof(searchDomains, {
    prepare: newDomain,
    input: ({ id }) => ({ query: { ids: [id] } }),
    shows: ({ id, comment, aliases }) => ({ domains: [{ id, comment, aliases, base: false }] }),
  }),
  proof(readDomain, {
    prepare: newDomain,
    input: ({ id }) => ({ params: { id } }),
    shows: ({ id, aliases }) => ({
      id,
      aliases,
      timeZone: 'Asia/Yekaterinburg',
      domains: [],
      logoId: null,
      type: 'other',
      documents: [],
      agreements: [],
      devicesIdAttributes: {},
    }),
  }),
  proof(readBaseSettings, {
    prepare: async (caller) => {
      const { params, body } = await baseBody(caller, {})
      const projectTitle = randomUUID()
      const locales = (body.locales ?? []).map((row) => ({ ...row, settings: { ...row.settings, projectTitle } }))
      await caller.call(updateDomain, { params, body: { ...body, locales } })
      return projectTitle
    },
    input: () => ({}),
    shows: (projectTitle) => ({ locales: [{ settings: { projectTitle } }, { settings: { projectTitle } }] }),
  }),
  provenIn(listStyleTemplates, ['site/domains.test.ts']),
  proof(createDomain, {
    makes: ['create domains'],
    prepare: async () =>
      domain({
        styleTemplate: 'partners',
        imageCode: 'partners',
        locales: [{ localeId: await localeId('ru'), settings: { projectTitle: 'Партнёры', projectName: 'Партнёры' } }],
      }),
    input: (body) => ({ body }),
    look: (caller, { aliases }) => hosted(caller, aliases[0] ?? ''),
    shows: ({ aliases }, { id }) => [
      { id, aliases, styleTemplate: 'partners', imageCode: 'partners', locales: ['ru'] },
    ],
    errors: {
      errorUnique: { field: 'aliases.1', input: async (caller) => ({ body: await withTakenAlias(caller) }) },
      errorBaseHost: { field: 'aliases.0', input: () => ({ body: domain({ aliases: [platformHost()] }) }) },
      forbiddenHost: { by: editor, input: () => ({ body: domain() }) },
      errorEmpty: { field: 'aliases', input: () => ({ body: domain({ aliases: [] }) }) },
      errorMissing: { field: 'documents.0', input: () => ({ body: domain({ documents: [randomUUID()] }) }) },
      errorBaseDomain: { field: 'base', input: () => ({ body: domain({ base: true }) }) },
    },
  }),
  proof(updateDomain, {
    makes: ['update domains'],
    prepare: newDomain,
    input: ({ id }) => ({ params: { id }, body: domain({ aliases: [`B${id}.Example.`], enabled: false }) }),
    look: (caller, { id }) => read(caller, id),
    shows: ({ id }) => ({ id, aliases: [`b${id}.example`], enabled: false }),
    errors: {
      errorUnique: {
        field: 'aliases.1',
        input: async (caller, { id }) => ({ params: { id }, body: await withTakenAlias(caller) }),
      },
      errorBaseHost: {
        field: 'aliases.0',
        input: (_, { id }) => ({ params: { id }, body: domain({ aliases: [platformHost()] }) }),
      },
      forbiddenHost: { by: editor, input: (_, { id }) => ({ params: { id }, body: domain() }) },
      errorEmpty: { field: 'locales', input: (caller) => baseBody(caller, { locales: [] }) },
      errorMissing: {
        field: 'agreements.0.agreementId',
        input: (_, { id }) => ({ params: { id }, body: domain({ agreements: [{ agreementId: randomUUID() }] }) }),
      },
      errorBaseDomain: { field: 'type', input: (caller) => baseBody(caller, { type: 'draft' }) },
      errorOwnDevice: {
        field: 'devicesIdAttributes',
        input: async (caller) => {
          const { devicesTypes } = await caller.call(searchDeviceTypes, { query: {} })
          return baseBody(caller, {
            devicesIdAttributes: Object.fromEntries(devicesTypes.map((type) => [type.id, []])),
          })
        },
      },
      domainLockout: {
        input: async (_, { id }) => ({ params: { id }, body: domain(await onlyWay(id)) }),
      },
      errorOwnDomain: {
        field: 'enabled',
        input: async (caller, { id, aliases }) => {
          await everywhere()
          Object.assign(caller.browser, { host: aliases[0] })
          return { params: { id }, body: domain({ enabled: false }) }
        },
      },
    },
  }),
  proof(enableDomain, {
    makes: ['update domains'],
    prepare: newDomain,
    input: ({ id }) => ({ params: { id }, body: { enabled: false } }),
    look: (caller, { id }) => read(caller, id),
    shows: () => ({ enabled: false }),
    errors: {
      domainBase: { input: async () => ({ params: { id: await base() }, body: { enabled: false } }) },
      domainLockout: {
        input: async (_, { id }) => {
          await onlyWay(id)
          return { params: { id }, body: { enabled: false } }
        },
      },
      domainOwn: {
        input: async (caller, { id, aliases }) => {
          await everywhere()
          Object.assign(caller.browser, { host: aliases[0] })
          return { params: { id }, body: { enabled: false } }
        },
      },
    },
  }),
  proof(deleteDomain, {
    makes: ['delete domains'],
    prepare: newDomain,
    input: ({ id }) => ({ params: { id } }),
    look: (caller, { aliases }) => hosted(caller, aliases[0] ?? ''),
    shows: () => [],
    errors: {
      domainBase: { input: async () => ({ params: { id: await base() } }) },
      domainLockout: {
        input: async (_, { id }) => {
          await onlyWay(id)
          return { params: { id } }
        },
      },
      domainUsed: {
        input: async (_, { id }) => {
          await everywhere()
          const application = await newApplication()
          await db().insert(applicationDomains).values({ applicationId: application.id, domainId: id })
          return { params: { id } }
        },
      },
      domainOwn: {
        input: (caller, { id, aliases }) => {
          Object.assign(caller.browser, { host: aliases[0] })
          return { params: { id } }
        },
      },
    },
  }),
]
