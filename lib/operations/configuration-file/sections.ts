import { z } from 'zod'
import { RoleType } from '@/lib/access/roles/contract'
import { applicationTypes } from '@/lib/applications/applications/contract'
import type { Area } from '@/lib/base/access/access-methods'
import { absentWays, mapperTypes } from '@/lib/directory-sync/provider-mappers/contract'
import { periodAmounts } from '@/lib/directory-sync/providers/contract'
import { readDocument } from '@/lib/documents/documents/contract'
import { authKinds } from '@/lib/exchanges/exchanges/contract'
import { providerTypes } from '@/lib/identity-providers/connections/kinds'
import { accessLists } from '@/lib/network/access-lists/contract'
import { Client } from '@/lib/openid/clients/contract'
import { readDomain } from '@/lib/site/domains/contract'

const text = z.string().max(255)
const long = z.string().max(4_000)
const flag = z.boolean()
const whole = z.number().int()
export const list = <S extends z.ZodType>(item: S, maximum = 2_000) => z.array(item).max(maximum, 'errorTooMany')
const words = list(long)
/** Texts by their keys, which each contract checks. */
const byKey = z.record(text, z.string().max(8_000))
const picture = z.strictObject({ type: z.enum(['image/webp', 'image/svg+xml']), data: z.base64().max(3_000_000) })
/** An address that may have a token: only people who may change it see it whole. */
const address = z.string().max(4_000)
/** An encrypted secret; null: the file has none, and the stored one stays. */
const secret = z.string().max(8_000).nullable()
const period = { periodUnit: whole, periodAmount: z.enum(periodAmounts) }

const titled = { title: text, titleEn: text, active: flag }
const technical = z.strictObject({ title: text, text: text, link: long, mobile: text })

/**
 * Declares a section: the areas whose screens show its objects, the members that identify one in every instance, and
 * all members in their order.
 */
const section = <Shape extends z.ZodRawShape>(
  areas: readonly Area[],
  key: readonly (keyof Shape & string)[],
  shape: Shape,
) => ({ areas, key, schema: z.strictObject(shape) })

/**
 * Every kind of object of a file, in the order in which they are written: none refers to a later one. Reader and writers
 * take from here what they read and write: a member has the name of its column unless `read.ts` says where it comes from.
 */
const declared = {
  locales: section(['libraries'], ['code'], { code: text, name: text, enabled: flag, texts: byKey }),
  deviceTypes: section(['device-types'], ['code'], { code: text, name: text, nameEn: text }),
  networkAliases: section(['network-aliases'], ['name'], {
    name: text,
    comment: text,
    ips: list(z.strictObject({ ip: text, comment: text })),
  }),
  accessLists: section(['access-lists'], ['list', 'ip', 'alias', 'dateFrom', 'dateTo'], {
    list: z.enum(accessLists),
    enabled: flag,
    ip: text.nullable(),
    alias: text.nullable(),
    dateFrom: text.nullable(),
    dateTo: text.nullable(),
    comment: text,
  }),
  documents: section(['libraries'], ['code'], {
    code: text,
    type: readDocument.response.shape.type,
    enabled: flag,
    adminVisible: flag,
    format: readDocument.response.shape.format,
    version: whole.min(1).max(1_000),
    /** The content line by line, so that git shows which line changed. */
    texts: list(
      z.strictObject({ locale: text, name: text, linkName: text, content: z.array(z.string().max(200_000)) }),
    ),
  }),
  banners: section(['libraries'], ['code'], { code: text, title: text, text: long, link: long, visible: flag }),
  // texts of mails and SMS belong to the libraries
  domains: section(['domains', 'libraries'], ['name'], {
    name: text,
    type: readDomain.response.shape.type,
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
  applications: section(['applications'], ['code'], {
    code: text,
    type: z.enum(applicationTypes),
    enabled: flag,
    name: text,
    nameEn: text,
    description: long,
    descriptionEn: long,
    url: long.nullable(),
    menuVisible: flag,
    parent: text.nullable(),
    swaggerUrl: address,
    helpUrl: long,
    compodocUrl: address,
    techUrl: address,
    ip: list(text),
    domains: list(text),
    icon: picture.nullable(),
    methods: list(z.strictObject({ code: text, name: text, nameEn: text })),
    serviceMethods: list(text),
  }),
  clients: section(['applications'], ['clientId'], {
    clientId: text,
    application: text,
    name: text,
    enabled: flag,
    authMethod: Client.shape.authMethod,
    secret,
    applicationType: Client.shape.applicationType,
    redirectUris: words,
    /** Files of earlier versions don't have it. */
    allowedOrigins: words.default([]),
    postLogoutRedirectUris: words,
    backchannelLogoutUri: address.nullable(),
    grantTypes: list(text),
    accessTokenLifespan: whole.nullable(),
    refreshTokenLifespan: whole.nullable(),
    idTokenAlg: Client.shape.idTokenAlg,
    pkceRequired: flag,
    jwks: z.record(text, z.unknown()).nullable(),
    jwksUri: address.nullable(),
  }),
  webhooks: section(['applications'], ['application', 'webhook'], {
    application: text,
    webhook: text,
    name: text,
    url: address,
    types: list(text),
    enabled: flag,
    secret,
  }),
  roles: section(['roles'], ['role'], {
    role: text,
    name: text,
    nameEn: text,
    comment: long,
    /** Files of earlier versions don't have it. */
    commentEn: long.default(''),
    roleType: z.enum(RoleType.options),
    enabled: flag,
    methods: list(text),
  }),
  authenticationSchemas: section(['authentication-schemas'], ['code'], {
    code: text,
    name: text,
    nameEn: text,
    comment: long,
    active: flag,
    firstFactor: list(text),
    secondFactor: list(text),
    roles: list(text),
  }),
  fieldTabs: section(['dynamic-fields'], ['type', 'code'], { type: text, code: text, ...titled }),
  fieldBlocks: section(['dynamic-fields'], ['type', 'code'], { type: text, code: text, tab: text, ...titled }),
  fields: section(['dynamic-fields'], ['type', 'code'], {
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
  providers: section(['providers'], ['name'], {
    name: text,
    type: z.enum(providerTypes),
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
        type: z.enum(mapperTypes),
        enabled: flag,
        before: text,
        after: text,
        customAttributes: flag,
        // older files don't have this member
        absent: z.enum(absentWays).default('keep'),
        attributes: list(z.strictObject({ attribute: text, value: text })),
      }),
    ),
  }),
  settings: section(['settings'], ['setting'], { setting: text, value: z.unknown() }),
  notifyMethods: section(['settings'], ['channel'], { channel: text, enabled: flag }),
  exchanges: section(['integration'], ['key'], {
    key: text,
    enabled: flag,
    url: long,
    auth: z.enum(authKinds),
    authName: text,
    secret,
    ...period,
    pageSize: whole,
  }),
  /** The order of applications, schemas, tabs of a type, blocks of a tab and fields of a block. */
  orders: section([], ['of'], { of: text, order: list(text) }),
}
export type Section = keyof typeof declared
export const sections = Object.keys(declared) as Section[]
export const isSection = (name: string): name is Section => Object.hasOwn(declared, name)
export const schemaOf = <S extends Section>(name: S): (typeof declared)[S]['schema'] => declared[name].schema
/** The names of the members that an object of a section has. */
export const sectionKeys = (name: Section): string[] => Object.keys(declared[name].schema.shape)
/** The names of the members that are addresses with tokens. */
export const addressesOf = (name: Section): string[] =>
  Object.entries<z.ZodType>(declared[name].schema.shape)
    .filter(([, member]) => address === (member instanceof z.ZodNullable ? member.unwrap() : member))
    .map(([member]) => member)
/** The areas of a section: a caller who may not read one of them doesn't get it. Orders belong to what they order. */
export const areasOf = (name: string): readonly Area[] => (isSection(name) ? declared[name].areas : [])
export type Configured<S extends Section> = z.output<(typeof declared)[S]['schema']>
/** The synchronization of a provider that has none. */
export const noSynchronization: Configured<'providers'>['synchronization'] = {
  ...{ enabled: false, periodUnit: 0, periodAmount: 'hours', limit: 50 },
}
export type Content = { [S in Section]: Configured<S>[] }

const entryKey = ({ list: listName, ip, alias, dateFrom, dateTo }: Configured<'accessLists'>) =>
  [listName, ip ?? `@${alias}`, ...(dateFrom || dateTo ? [`${dateFrom ?? ''}…${dateTo ?? ''}`] : [])].join(' ')

/** Returns the name of an object in errors, by its section and its key. */
export const placeOf = ({ section, key }: { section: Section; key: string }) => `${section}[${key}]`

/** Returns how an object is identified in every instance: by its code, or by what stands for one. */
export function keyOf<S extends Section>(name: S, object: Configured<S>): string {
  if (name === 'accessLists') return entryKey(object as Configured<'accessLists'>)
  return declared[name].key.map((member) => (object as Record<string, unknown>)[member]).join('/')
}
