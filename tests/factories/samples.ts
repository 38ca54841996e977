import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { db } from '@/db/client'
import { locales } from '@/db/schema'
import type { Contract } from '@/lib/base/contracts/contract'
import type { FileType } from '@/lib/base/contracts/file'
import { formatVersion } from '@/lib/operations/configuration-file/format'
import { samples } from './file-samples'
import { freeLanguageCode } from './language-codes'

type Schema = {
  type?: string
  format?: string
  contentMediaType?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  minItems?: number
  minLength?: number
  maxLength?: number
  anyOf?: Schema[]
  items?: Schema
  required?: string[]
  properties?: Record<string, Schema>
}

/** Values whose format the schema doesn't describe, by the name of the field. */
const byName: Record<string, unknown> = {
  ip: '192.0.2.1',
  displaySize: '1920x1080',
  displayWindowSize: '1440x900',
  idAttribute: 'login',
  lang: 'ru',
}

const letters = () => ({
  get code() {
    return freeLanguageCode()
  },
})

/** A language that samples name; `prepareSamples` creates it. */
const language = { id: randomUUID(), code: 'qqs', name: 'A language of samples' }

/** Creates the records that samples name, in the database of the calling test file. */
export async function prepareSamples() {
  await db().insert(locales).values(language)
}

/** A directory that nobody is at. */
const directory = { url: 'http://127.0.0.1:1', realm: 'staff', clientId: 'portal', clientSecret: 'secret' }
const link = { type: 'link', url: 'https://app.example/' }
const client = {
  redirectUris: ['https://app.example/callback'],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  refreshTokenLifespan: null,
}

/** A file that changes nothing. */
const emptyConfiguration = new File(
  [
    JSON.stringify({
      format: 'identity-platform/configuration',
      version: formatVersion,
      secrets: 'omitted',
      content: {},
    }),
  ],
  'configuration.json',
  { type: 'application/json' },
)

/** Fields of one call whose rules the schema doesn't describe. */
const byCall: Record<string, Record<string, unknown>> = {
  createApplication: link,
  updateApplication: link,
  createClient: client,
  updateClient: client,
  updateClientKeys: { jwksUri: 'https://app.example/keys.json' },
  requestContactCode: { value: 'somebody@polaris.example' },
  verifyContact: { value: 'somebody@polaris.example' },
  createAccessRequests: { companies: [{ name: 'АО «Лиман»', inn: '7701234567', kpp: '770101001' }] },
  createDynamicField: { subtype: 'personal' },
  createWhitelistEntry: { ip: '192.0.2.1' },
  createBlacklistEntry: { ip: '192.0.2.1' },
  updateWhitelistEntry: { ip: '192.0.2.1' },
  updateBlacklistEntry: { ip: '192.0.2.1' },
  createInvitation: { email: 'somebody@polaris.example' },
  checkInvitationImport: { text: 'somebody@polaris.example' },
  startInvitationImport: { text: 'somebody@polaris.example' },
  checkUserImport: { columns: '["field.login"]', by: 'login' },
  startUserImport: { columns: '["field.login"]', by: 'login' },
  savePlatformSettings: { passwordMin: { value: 9 } },
  saveUsersSettings: { registrationEnabled: { value: false } },
  sendTestMail: { email: 'somebody@polaris.example' },
  sendTestSms: { mobile: '+79000000001' },
  createUser: {
    get values() {
      return { fio: 'Орлова Вера', email: `${randomUUID()}@polaris.example` }
    },
  },
  createDocument: { locales: [{ localeId: language.id, name: 'Правила', linkName: 'Правила', content: 'Текст' }] },
  createNewsItem: { locales: [{ localeId: language.id, title: 'Работы', text: 'Текст' }] },
  compareConfiguration: { file: emptyConfiguration },
  importConfiguration: { file: emptyConfiguration },
  // texts are those that the product has
  writeLocaleTexts: { texts: [{ key: 'entry.id.title', text: 'Вход' }] },
  // languages have other codes than anything else, and unique ones
  createLocale: letters(),
  updateLocale: letters(),
  setUserContractors: { contractors: [] },
  createProvider: { ...directory, type: 'keycloak' },
  updateProvider: directory,
  checkProvider: { ...directory, type: 'keycloak' },
  updateIntegrationSync: { url: 'http://127.0.0.1:1' },
  createWebhook: { url: 'http://127.0.0.1:1/', types: ['application.updated'] },
  updateWebhook: { url: 'http://127.0.0.1:1/', types: ['application.updated'] },
  get replayWebhook() {
    const now = Date.now()
    return { from: new Date(now - 60_000).toISOString(), to: new Date(now).toISOString() }
  },
  changePassword: { password: 'Violet-lantern-42', rePassword: 'Violet-lantern-42' },
}

function sampleOf(schema: Schema, name = '', whole = false): unknown {
  if (name in byName) return byName[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], name, whole)
  if (schema.format === 'binary') {
    const type = schema.contentMediaType?.split(', ')[0] as FileType
    return new File([samples[type]], 'sample', { type })
  }
  if (schema.type === 'array') return schema.items ? [sampleOf(schema.items, name, whole)] : []
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema
    // if no field is required, one of the optional ones, so that the call changes something
    const names = whole ? Object.keys(properties) : required.length > 0 ? required : Object.keys(properties).slice(0, 1)
    return Object.fromEntries(names.map((key) => [key, sampleOf(properties[key] ?? {}, key, whole)]))
  }
  if (schema.type === 'boolean') return true
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(schema.minimum ?? 1, 1)
  if (schema.format === 'uuid' || schema.format === 'guid') return randomUUID()
  if (schema.format === 'date-time') return new Date(0).toISOString()
  return `sample-${randomUUID().slice(0, 8)}`.slice(0, schema.maxLength)
}

/**
 * Returns a body that a call accepts, made from its contract; undefined if it takes none. Throws if the schema doesn't
 * describe a value: then add the field's name to `byName`.
 */
export function sampleBody({ name, body }: Contract): Record<string, unknown> | undefined {
  if (!body) return undefined
  const made = sampleOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema)
  const sample = byCall[name] ? { ...(made as object), ...byCall[name] } : made
  const { success, error } = body.safeParse(sample)
  if (!success) throw new Error(`${name} doesn't take ${JSON.stringify(sample)}: ${z.prettifyError(error)}`)
  return sample as Record<string, unknown>
}

/** Returns a part of a call's input with all fields that it may have, valid or not; empty if it has none. */
export const wholeSample = (schema: z.ZodType | undefined): Record<string, unknown> =>
  schema
    ? (sampleOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, '', true) as Record<
        string,
        unknown
      >)
    : {}

/** Path parameters that a call accepts, with unknown ids. */
export const sampleParams = ({ path }: Contract): Record<string, string> =>
  Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, String(byName[name] ?? randomUUID())]),
  )

/** A query that a call takes: none if it needs none. */
export function sampleQuery({ name, query }: Contract): Record<string, string> {
  if (!query || query.safeParse({}).success) return {}
  const sample = sampleOf(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as Schema)
  if (!query.safeParse(sample).success) throw new Error(`${name} doesn't take ${JSON.stringify(sample)}`)
  return sample as Record<string, string>
}
