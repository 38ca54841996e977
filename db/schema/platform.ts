import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  cidr,
  customType,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, moment, updatedAt } from './columns'

export const applicationType = pgEnum('application_type', ['internal', 'external', 'draft', 'link', 'virtual'])
export const domainType = pgEnum('domain_type', ['draft', 'other'])
export const documentType = pgEnum('document_type', ['agreement', 'document'])
export const documentFormat = pgEnum('document_format', ['md', 'html'])
export const accessList = pgEnum('access_list', ['whitelist', 'blacklist'])

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/**
 * Logos and icons, as the platform drew them anew. Another picture is another row, so that the address of an id always
 * answers with the same bytes; objects that show a picture refer to its row.
 */
export const platformPictures = pgTable('platform_pictures', {
  id: uuid().primaryKey().defaultRandom(),
  /** image/webp or image/svg+xml. */
  type: text().$type<'image/webp' | 'image/svg+xml'>().notNull(),
  content: bytes().notNull(),
  createdAt: createdAt(),
})

export const applications = pgTable(
  'applications',
  {
    id: uuid().primaryKey().defaultRandom(),
    type: applicationType().notNull(),
    enabled: boolean().notNull().default(true),
    code: text().notNull().unique('applications_code'),
    name: text().notNull(),
    nameEn: text(),
    version: text(),
    url: text(),
    description: text().notNull().default(''),
    descriptionEn: text(),
    swaggerUrl: text(),
    helpUrl: text(),
    compodocUrl: text(),
    techUrl: text(),
    menuVisible: boolean().notNull().default(false),
    order: integer().notNull().default(0),
    /** The addresses from which its service account may call; null means any. */
    ip: cidr().array().notNull().default([]),
    parentId: uuid().references((): AnyPgColumn => applications.id, { onDelete: 'set null' }),
    /** Its picture on tiles and in menus. */
    iconId: uuid().references(() => platformPictures.id, { onDelete: 'set null' }),
    immutable: boolean().notNull().default(false),
    /** 0 all, 1 clients read-only, 2 view only. */
    actionsAccess: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [index('applications_parent').on(t.parentId), index('applications_icon').on(t.iconId)],
)

/** The domains whose menus show the application; without rows, all do. */
export const applicationDomains = pgTable(
  'application_domains',
  {
    applicationId: uuid()
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    domainId: uuid()
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.applicationId, t.domainId] }), index('application_domains_domain').on(t.domainId)],
)

export const domains = pgTable(
  'domains',
  {
    id: uuid().primaryKey().defaultRandom(),
    type: domainType().notNull().default('other'),
    base: boolean().notNull().default(false),
    enabled: boolean().notNull().default(true),
    comment: text().notNull().default(''),
    imageCode: text().notNull().default('default'),
    styleTemplate: text().notNull().default('default'),
    publicDocsUrl: text(),
    baseSettings: boolean().notNull().default(false),
    cookie: boolean().notNull().default(true),
    /** The time zone of people without a known one, by its IANA name; null for the platform's. */
    timeZone: text(),
    /** The kinds of identifier offered on each device type, by the type's id. */
    devicesIdAttributes: jsonb().$type<Record<string, ('login' | 'email' | 'mobile')[]>>().notNull().default({}),
    /** Its own logo, in place of the emblem. */
    logoId: uuid().references(() => platformPictures.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('domains_one_base').on(t.base).where(sql`${t.base}`), index('domains_logo').on(t.logoId)],
)

/** The domains whose texts the preview of a draft shows where it has none of its own, in their order. */
export const draftSources = pgTable(
  'draft_sources',
  {
    draftId: uuid()
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    domainId: uuid()
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    order: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.draftId, t.domainId] }), index('draft_sources_domain').on(t.domainId)],
)

export const domainAliases = pgTable(
  'domain_aliases',
  {
    /** Host name in lower case, without scheme and port. The first by order makes the domain's links. */
    host: text().primaryKey(),
    domainId: uuid()
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    order: integer().notNull().default(0),
  },
  (t) => [index('domain_aliases_domain').on(t.domainId)],
)

export type TechnicalLink = { title: string; text: string; link: string; mobile?: string }
export type DomainLocaleSettings = {
  projectTitle: string
  projectName: string
  copyright: string
  siteName: string
  siteLink: string
  /** Banner ids. */
  banners: string[]
  technical: TechnicalLink[]
}

export const domainLocales = pgTable(
  'domain_locales',
  {
    domainId: uuid()
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    localeId: uuid()
      .notNull()
      .references(() => locales.id, { onDelete: 'cascade' }),
    order: integer().notNull().default(0),
    enabled: boolean().notNull().default(true),
    settings: jsonb().$type<DomainLocaleSettings>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.localeId] }), index('domain_locales_locale').on(t.localeId)],
)

export const domainAgreements = pgTable(
  'domain_agreements',
  {
    domainId: uuid()
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    documentId: uuid()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    menuVisible: boolean().notNull().default(false),
    footerVisible: boolean().notNull().default(false),
    loginRequired: boolean().notNull().default(false),
    profileVisible: boolean().notNull().default(false),
    order: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.documentId] }), index('domain_agreements_document').on(t.documentId)],
)

export const domainDocuments = pgTable(
  'domain_documents',
  {
    domainId: uuid()
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    documentId: uuid()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    order: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.documentId] }), index('domain_documents_document').on(t.documentId)],
)

export const deviceTypes = pgTable('device_types', {
  id: uuid().primaryKey().defaultRandom(),
  name: text().notNull(),
  nameEn: text(),
  code: text().notNull().unique('device_types_code'),
  immutable: boolean().notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const locales = pgTable('locales', {
  id: uuid().primaryKey().defaultRandom(),
  name: text().notNull(),
  code: text().notNull().unique('locales_code'),
  enabled: boolean().notNull().default(true),
  immutable: boolean().notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Texts that administrators wrote in a language, in place of the shipped ones. */
export const localeTexts = pgTable(
  'locale_texts',
  {
    localeId: uuid()
      .notNull()
      .references(() => locales.id, { onDelete: 'cascade' }),
    /** The key of the text: `entry.id.title`. */
    key: text().notNull(),
    text: text().notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.localeId, t.key] })],
)

/** Texts of mails and SMS of one domain, in place of those of the language. */
export const domainTexts = pgTable(
  'domain_texts',
  {
    domainId: uuid()
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
    localeId: uuid()
      .notNull()
      .references(() => locales.id, { onDelete: 'cascade' }),
    /** `mail.invitation.subject`, `sms.invitation`. */
    key: text().notNull(),
    text: text().notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [primaryKey({ columns: [t.domainId, t.localeId, t.key] }), index('domain_texts_locale').on(t.localeId)],
)

export const documents = pgTable('documents', {
  id: uuid().primaryKey().defaultRandom(),
  enabled: boolean().notNull().default(true),
  code: text().notNull().unique('documents_code'),
  type: documentType().notNull(),
  adminVisible: boolean().notNull().default(true),
  format: documentFormat().notNull().default('md'),
  /** Raised only when people must agree again. */
  version: integer().notNull().default(1),
  /** When the version last rose; null if it never did. */
  versionAt: moment(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Texts by version, so that people can still read what they agreed to. */
export const documentLocales = pgTable(
  'document_locales',
  {
    documentId: uuid()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    localeId: uuid()
      .notNull()
      .references(() => locales.id),
    name: text().notNull(),
    linkName: text().notNull(),
    content: text().notNull(),
    /** The content as HTML for pages; null until it is drawn. */
    html: text(),
  },
  (t) => [
    primaryKey({ columns: [t.documentId, t.version, t.localeId] }),
    index('document_locales_locale').on(t.localeId),
  ],
)

export const banners = pgTable('banners', {
  id: uuid().primaryKey().defaultRandom(),
  visible: boolean().notNull().default(true),
  title: text().notNull(),
  code: text().notNull().unique('banners_code'),
  text: text().notNull().default(''),
  link: text(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Only values that differ from the defaults in lib/site/settings/definitions.ts. */
export const settings = pgTable('settings', {
  id: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: updatedAt(),
})

export const authenticationSchemas = pgTable(
  'authentication_schemas',
  {
    id: uuid().primaryKey().defaultRandom(),
    active: boolean().notNull().default(true),
    base: boolean().notNull().default(false),
    code: text().notNull().unique('authentication_schemas_code'),
    name: text().notNull(),
    nameEn: text(),
    comment: text().notNull().default(''),
    /** Flow ids in order of preference: credentials, email_code, sms_code. */
    firstFactor: text().array().notNull(),
    secondFactor: text().array().notNull().default([]),
    /** 0 is the highest. */
    priority: integer().notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [uniqueIndex('authentication_schemas_one_base').on(t.base).where(sql`${t.base}`)],
)

export const networkAliases = pgTable(
  'network_aliases',
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull().unique('network_aliases_name'),
    comment: text().notNull().default(''),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('network_aliases_updated').on(t.updatedAt, t.id),
    index('network_aliases_text').using(
      'gin',
      sql`search_form(${t.name}) gin_trgm_ops`,
      sql`search_form(${t.comment}) gin_trgm_ops`,
    ),
  ],
)

export const networkAliasIps = pgTable(
  'network_alias_ips',
  {
    aliasId: uuid()
      .notNull()
      .references(() => networkAliases.id, { onDelete: 'cascade' }),
    ip: cidr().notNull(),
    comment: text().notNull().default(''),
    order: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.aliasId, t.ip] }),
    index('network_alias_ips_ip').using('gist', t.ip.op('inet_ops')),
    index('network_alias_ips_text').using(
      'gin',
      sql`search_form(text(${t.ip})) gin_trgm_ops`,
      sql`search_form(${t.comment}) gin_trgm_ops`,
    ),
  ],
)

/** White and black list: a subnet or an alias, within its dates. */
export const accessListEntries = pgTable(
  'access_list_entries',
  {
    id: uuid().primaryKey().defaultRandom(),
    list: accessList().notNull(),
    enabled: boolean().notNull().default(true),
    ip: cidr(),
    aliasId: uuid().references(() => networkAliases.id, { onDelete: 'restrict' }),
    dateFrom: moment(),
    dateTo: moment(),
    comment: text().notNull().default(''),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    check('access_list_entries_ip_or_alias', sql`(${t.ip} is null) <> (${t.aliasId} is null)`),
    index('access_list_entries_alias').on(t.aliasId),
    index('access_list_entries_date').on(t.list, sql`coalesce(${t.dateFrom}, ${t.createdAt})`, t.id),
  ],
)
