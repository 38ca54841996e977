import { z } from 'zod'
import { fieldErrors, issueCode } from '@/lib/base/contracts/issues'
import { AppError, type FieldError, fieldError } from '@/lib/base/runtime/errors'
import { isStorable } from '@/lib/base/text/characters'

/** The header of a file. A change of the sections that makes older files invalid raises the version. */
export const formatName = 'identity-platform/configuration'
export const formatVersion = 2

/** The largest size of a file in bytes: it contains texts of documents, and pictures. */
export const largestFile = 16 * 1024 ** 2

const text = z.string().max(255)
const long = z.string().max(4_000)
const flag = z.boolean()
const whole = z.number().int()
const list = <S extends z.ZodType>(item: S, maximum = 2_000) => z.array(item).max(maximum, 'errorTooMany')
const words = list(long)
/** Texts by their keys, which each contract checks. */
const byKey = z.record(text, z.string().max(8_000))
const picture = z.strictObject({ type: z.enum(['image/webp', 'image/svg+xml']), data: z.base64().max(3_000_000) })
/** An encrypted secret; null: the file has none, and the stored one stays. */
const secret = z.string().max(8_000).nullable()
const period = { periodUnit: whole, periodAmount: z.enum(['minutes', 'hours', 'days']) }

const clientOf = z.strictObject({
  clientId: text,
  application: text,
  name: text,
  enabled: flag,
  authMethod: z.enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']),
  secret,
  applicationType: z.enum(['web', 'native']),
  redirectUris: words,
  postLogoutRedirectUris: words,
  backchannelLogoutUri: long.nullable(),
  /** Files of earlier versions don't have it. */
  allowedOrigins: words.default([]),
  grantTypes: list(text),
  accessTokenLifespan: whole.nullable(),
  refreshTokenLifespan: whole.nullable(),
  idTokenAlg: z.enum(['RS256', 'PS256', 'ES256']),
  pkceRequired: flag,
  jwks: z.record(text, z.unknown()).nullable(),
  jwksUri: long.nullable(),
})

const technical = z.strictObject({ title: text, text: text, link: long, mobile: text })

/** Every kind of object of a file, in the order in which they are written: none refers to a later one. */
const sectionSchemas = {
  locales: z.strictObject({ code: text, name: text, enabled: flag, texts: byKey }),
  deviceTypes: z.strictObject({ code: text, name: text, nameEn: text }),
  networkAliases: z.strictObject({
    name: text,
    comment: text,
    ips: list(z.strictObject({ ip: text, comment: text })),
  }),
  accessLists: z.strictObject({
    list: z.enum(['whitelist', 'blacklist']),
    enabled: flag,
    ip: text.nullable(),
    alias: text.nullable(),
    dateFrom: text.nullable(),
    dateTo: text.nullable(),
    comment: text,
  }),
  documents: z.strictObject({
    code: text,
    type: z.enum(['agreement', 'document']),
    enabled: flag,
    adminVisible: flag,
    format: z.enum(['md', 'html']),
    version: whole.min(1).max(1_000),
    /** The content line by line, so that git shows which line changed. */
    texts: list(
      z.strictObject({ locale: text, name: text, linkName: text, content: z.array(z.string().max(200_000)) }),
    ),
  }),
  banners: z.strictObject({ code: text, title: text, text: long, link: long, visible: flag }),
  domains: z.strictObject({
    name: text,
    type: z.enum(['draft', 'other']),
    enabled: flag,
    comment: text,
    aliases: list(text),
    imageCode: text,
    styleTemplate: text,
    publicDocsUrl: long,
    baseSettings: flag,
    cookie: flag,
    timeZone: text,
    identifiers: z.record(text, list(z.enum(['login', 'email', 'mobile']))),
    documents: list(text),
    agreements: list(
      z.strictObject({
        document: text,
        menuVisible: flag,
        footerVisible: flag,
        loginRequired: flag,
        profileVisible: flag,
      }),
    ),
    locales: list(
      z.strictObject({
        locale: text,
        enabled: flag,
        projectTitle: text,
        projectName: text,
        copyright: text,
        siteName: text,
        siteLink: long,
        banners: list(text),
        technical: list(technical),
      }),
    ),
    /** Its own texts of mails and SMS, also in languages that it doesn't offer. */
    messages: list(z.strictObject({ locale: text, texts: byKey })),
    sources: list(text),
    logo: picture.nullable(),
  }),
  applications: z.strictObject({
    code: text,
    type: z.enum(['internal', 'external', 'draft', 'link', 'virtual']),
    enabled: flag,
    name: text,
    nameEn: text,
    description: long,
    descriptionEn: long,
    url: long.nullable(),
    menuVisible: flag,
    parent: text.nullable(),
    swaggerUrl: long,
    helpUrl: long,
    compodocUrl: long,
    techUrl: long,
    ip: list(text),
    domains: list(text),
    icon: picture.nullable(),
    methods: list(z.strictObject({ code: text, name: text, nameEn: text })),
    serviceMethods: list(text),
  }),
  clients: clientOf,
  webhooks: z.strictObject({
    application: text,
    webhook: text,
    name: text,
    url: long,
    types: list(text),
    enabled: flag,
    secret,
  }),
  roles: z.strictObject({
    role: text,
    name: text,
    nameEn: text,
    comment: long,
    /** Files of earlier versions don't have it. */
    commentEn: long.default(''),
    roleType: z.enum(['systemic', 'organizational', 'contractor']),
    enabled: flag,
    methods: list(text),
  }),
  authenticationSchemas: z.strictObject({
    code: text,
    name: text,
    nameEn: text,
    comment: long,
    active: flag,
    firstFactor: list(text),
    secondFactor: list(text),
    roles: list(text),
  }),
  fieldTabs: z.strictObject({ type: text, code: text, title: text, titleEn: text, active: flag }),
  fieldBlocks: z.strictObject({ type: text, code: text, tab: text, title: text, titleEn: text, active: flag }),
  fields: z.strictObject({
    type: text,
    code: text,
    block: text,
    title: text,
    titleEn: text,
    comment: long,
    active: flag,
    fieldType: text,
    adminRequired: flag,
    adminVisible: flag,
    adminEdit: flag,
    profileRequired: flag,
    profileVisible: flag,
    profileEdit: flag,
    integrationRequired: flag,
    unique: flag,
    multiple: flag,
    pattern: text.nullable(),
    minLength: whole.nullable(),
    maxLength: whole.nullable(),
    latin: flag,
    items: list(z.strictObject({ code: text, value: text, valueEn: text })),
  }),
  providers: z.strictObject({
    name: text,
    type: z.enum(['keycloak', 'wapps', 'oidc']),
    enabled: flag,
    url: long,
    realm: text,
    clientId: text,
    secret,
    scopes: list(text),
    emailDomains: list(text),
    domains: list(text),
    synchronization: z.strictObject({ enabled: flag, ...period, limit: whole }),
    mappers: list(
      z.strictObject({
        name: text,
        type: z.enum(['users-base', 'users-access']),
        enabled: flag,
        before: text,
        after: text,
        customAttributes: flag,
        // older files don't have this member
        absent: z.enum(['keep', 'clear']).default('keep'),
        attributes: list(z.strictObject({ attribute: text, value: text })),
      }),
    ),
  }),
  settings: z.strictObject({ setting: text, value: z.unknown() }),
  notifyMethods: z.strictObject({ channel: text, enabled: flag }),
  exchanges: z.strictObject({
    key: text,
    enabled: flag,
    url: long,
    auth: z.enum(['none', 'bearer', 'basic', 'header']),
    authName: text,
    secret,
    ...period,
    pageSize: whole,
  }),
  /** The order of applications, schemas, tabs of a type, blocks of a tab and fields of a block. */
  orders: z.strictObject({ of: text, order: list(text) }),
} as const
export type Section = keyof typeof sectionSchemas
export const sections = Object.keys(sectionSchemas) as Section[]
/** The names of the members that an object of a section has. */
export const sectionKeys = (section: Section): string[] => Object.keys(sectionSchemas[section].shape)
export type Configured<S extends Section> = z.output<(typeof sectionSchemas)[S]>
export type Content = { [S in Section]: Configured<S>[] }

type Key = { [S in Section]: (object: Configured<S>) => string }
/** How an object is identified in every instance: by its code, or by what stands for one. */
const keys: Key = {
  locales: ({ code }) => code,
  deviceTypes: ({ code }) => code,
  networkAliases: ({ name }) => name,
  accessLists: ({ list: listName, ip, alias, dateFrom, dateTo }) =>
    [listName, ip ?? `@${alias}`, ...(dateFrom || dateTo ? [`${dateFrom ?? ''}…${dateTo ?? ''}`] : [])].join(' '),
  documents: ({ code }) => code,
  banners: ({ code }) => code,
  domains: ({ name }) => name,
  applications: ({ code }) => code,
  clients: ({ clientId }) => clientId,
  webhooks: ({ application, webhook }) => `${application}/${webhook}`,
  roles: ({ role }) => role,
  authenticationSchemas: ({ code }) => code,
  fieldTabs: ({ type, code }) => `${type}/${code}`,
  fieldBlocks: ({ type, code }) => `${type}/${code}`,
  fields: ({ type, code }) => `${type}/${code}`,
  providers: ({ name }) => name,
  settings: ({ setting }) => setting,
  notifyMethods: ({ channel }) => channel,
  exchanges: ({ key }) => key,
  orders: ({ of: listName }) => listName,
}
export const keyOf = <S extends Section>(section: S, object: Configured<S>): string => keys[section](object)

/**
 * How secrets are encrypted with a passphrase. The parameters are fixed, so that a file can't make an import compute
 * for hours.
 */
export const encryptionParameters = { kdf: 'scrypt', cipher: 'aes-256-gcm', N: 131_072, r: 8, p: 1 } as const
const EncryptionHeader = z.strictObject({
  kdf: z.literal(encryptionParameters.kdf),
  cipher: z.literal(encryptionParameters.cipher),
  N: z.literal(encryptionParameters.N),
  r: z.literal(encryptionParameters.r),
  p: z.literal(encryptionParameters.p),
  salt: z.base64().length(24),
  /** A constant text, encrypted: a wrong passphrase doesn't decrypt it. */
  check: z.string().max(200),
})
export type EncryptionHeader = z.output<typeof EncryptionHeader>

const contentShape = Object.fromEntries(
  sections.map((section) => [section, list(sectionSchemas[section] as z.ZodType, 20_000).optional()]),
)
const ConfigurationFile = z.strictObject({
  format: z.literal(formatName),
  version: z.literal(formatVersion),
  secrets: z.union([z.literal('omitted'), EncryptionHeader]),
  content: z.strictObject(contentShape),
})
export type ConfigurationFile = {
  format: typeof formatName
  version: typeof formatVersion
  secrets: 'omitted' | EncryptionHeader
  /** A section that a file leaves out isn't changed. */
  content: Partial<Content>
}

/** Returns a configuration as text: equal configurations give equal bytes. */
export const textOf = (configuration: ConfigurationFile): string => `${JSON.stringify(configuration, null, 2)}\n`

const refused = (errorList: FieldError[]) => new AppError(400, 'configurationRefused', { errorList })

/** Throws 400 for texts and keys that can't be stored, and for nesting that no configuration has. */
function requireStorable(value: unknown, path: string, depth = 0): void {
  if (depth > 20) throw refused([{ field: path.slice(0, 200), code: 'errorFormat' }])
  if (typeof value === 'string' && !isStorable(value))
    throw refused([{ field: path.slice(0, 200), code: 'errorChars' }])
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key) || key === '__proto__')
      throw refused([{ field: path.slice(0, 200), code: 'errorUnknownField' }])
    requireStorable(inner, path ? `${path}.${key}` : key, depth + 1)
  }
}

/**
 * Returns the path of a field with the key of its object in place of its index: `banners.3.title` is
 * `banners[maintenance].title`.
 */
function namedPath(field: string, file: unknown): string {
  const [, section = '', index = '', ...rest] = field.split('.')
  const object = (file as { content?: Record<string, unknown[]> } | null)?.content?.[section]?.[Number(index)]
  if (!(section in sectionSchemas) || typeof object !== 'object' || object === null) return field
  const parsed = sectionSchemas[section as Section].safeParse(object)
  const key = parsed.success
    ? keyOf(section as Section, parsed.data as never)
    : (['code', 'name', 'role', 'setting', 'key', 'of']
        .map((name) => (object as Record<string, unknown>)[name])
        .find((name) => typeof name === 'string') ?? index)
  return [`${section}[${String(key).slice(0, 80)}]`, ...rest].join('.')
}

/**
 * Reads a file. Throws 400 configurationRefused for one that isn't of this format, has another version or an unknown
 * key, or contains an object twice; each error has its path and its code
 * (docs/rules/administration-screens.md#configuration).
 */
export function parseConfiguration(text: string): ConfigurationFile {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw fieldFault('file', 'errorConfigurationJson')
  }
  const { format, version } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (format !== formatName) throw fieldFault('format', 'errorConfigurationForeign')
  if (version !== formatVersion) {
    const newer = typeof version === 'number' && version > formatVersion
    throw fieldFault('version', newer ? 'errorConfigurationNewer' : 'errorConfigurationOlder', {
      version: typeof version === 'number' ? version : '?',
      known: formatVersion,
    })
  }
  requireStorable(value, '')
  const parsed = ConfigurationFile.safeParse(value, { error: issueCode })
  if (!parsed.success)
    throw refused(
      fieldErrors(parsed.error)
        .slice(0, 100)
        .map((error) => ({ ...error, field: namedPath(error.field, value) })),
    )
  const file = parsed.data as ConfigurationFile
  const duplicates = sections.flatMap((section) => {
    const keys = (file.content[section] ?? []).map((object) => keyOf(section, object as never))
    const repeatedKeys = new Set(keys.filter((key, index) => keys.indexOf(key) < index))
    return [...repeatedKeys].map((key): FieldError => ({ field: `${section}[${key}]`, code: 'errorNamedTwice' }))
  })
  if (duplicates.length > 0) throw refused(duplicates.slice(0, 100))
  return file
}

function fieldFault(field: string, code: string, params?: FieldError['params']) {
  return refused(fieldError(field, code, params).data.errorList ?? [])
}
