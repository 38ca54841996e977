import { type SQLWrapper, sql } from 'drizzle-orm'
import {
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { ListColumns } from '@/lib/base/contracts/list-columns'
import { createdAt, moment, updatedAt } from './columns'
import { applications, authenticationSchemas, documents, domains } from './platform'

export const roleType = pgEnum('role_type', ['systemic', 'organizational', 'contractor'])
export const methodKind = pgEnum('method_kind', ['systemic', 'application'])
export const gender = pgEnum('gender', ['man', 'woman'])
export const identifierKind = pgEnum('identifier_kind', ['login', 'email', 'mobile'])
export const providerType = pgEnum('provider_type', ['keycloak', 'wapps', 'oidc'])

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey().defaultRandom(),
    login: text().notNull(),
    email: text(),
    emailVerifiedAt: moment(),
    /** E.164 with the plus sign. */
    mobile: text(),
    mobileVerifiedAt: moment(),
    lastName: text().notNull().default(''),
    firstName: text().notNull().default(''),
    middleName: text().notNull().default(''),
    fio: text().notNull().default(''),
    birthDate: date({ mode: 'string' }),
    gender: gender(),
    locale: text(),
    comment: text().notNull().default(''),
    enabled: boolean().notNull().default(true),
    /** The first administrator; a banner is shown until a permanent one replaces it. */
    temporary: boolean().notNull().default(false),
    isEditable: boolean().notNull().default(true),
    passwordHash: text(),
    passwordChangedAt: moment(),
    /** The next sign-in leads to the first-entry password page. */
    passwordChangeRequired: boolean().notNull().default(false),
    authenticationSchemaId: uuid().references(() => authenticationSchemas.id, { onDelete: 'set null' }),
    /**
     * The caller who may know a way to sign in (docs/rules/access.md#prepared-accounts); several are stored as the zero
     * id.
     */
    preparedBy: uuid(),
    preparedSince: moment(),
    mobileEnteredBy: uuid(),
    schemaEnteredBy: uuid(),
    providerId: uuid().references(() => providers.id),
    externalId: text(),
    /** Whether its directory disabled it: the directory may then enable it again. */
    disabledByProvider: boolean().notNull().default(false),
    /** Values of dynamic fields under their codes. */
    values: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** Unused by code. The previous version still raises it, so a later release drops it. */
    version: integer().notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('users_email').on(sql`lower(${t.email})`),
    index('users_mobile').on(t.mobile),
    index('users_authentication_schema').on(t.authenticationSchemaId),
    index('users_fio').on(t.fio, t.id),
    index('users_disabled').on(t.fio, t.id).where(sql`not enabled`),
    index('users_created_at').on(t.createdAt, t.id),
    index('users_mobile_search').using('gin', sql`${t.mobile} gin_trgm_ops`),
    index('users_external_id').on(t.externalId),
    index('users_external_id_search').using('gin', sql`search_form(${t.externalId}) gin_trgm_ops`),
    index('users_search').using(
      'gin',
      sql`search_form(${t.fio}) gin_trgm_ops`,
      sql`search_form(${t.login}) gin_trgm_ops`,
      sql`search_form(${t.email}) gin_trgm_ops`,
    ),
    unique('users_provider_external_id').on(t.providerId, t.externalId),
  ],
)

/**
 * The identifiers with which people can sign in: one row for each identifier whose kind is enabled in the settings, so
 * that the database itself keeps identifiers unique. Values are lower-case or E.164.
 */
export const userIdentifiers = pgTable(
  'user_identifiers',
  {
    kind: identifierKind().notNull(),
    value: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ name: 'user_identifiers_kind_value', columns: [t.kind, t.value] }),
    index('user_identifiers_user').on(t.userId),
  ],
)

export const roles = pgTable('roles', {
  id: uuid().primaryKey().defaultRandom(),
  /** Shipped roles have one, and the roles of single methods: `method:` and the method. */
  code: text().unique('roles_code'),
  name: text().notNull(),
  nameEn: text(),
  comment: text().notNull().default(''),
  /** In English; null if nobody has written it. */
  commentEn: text(),
  roleType: roleType().notNull(),
  /** A disabled role gives nobody its methods. */
  enabled: boolean().notNull().default(true),
  immutable: boolean().notNull().default(false),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const methods = pgTable(
  'methods',
  {
    id: uuid().primaryKey().defaultRandom(),
    code: text().notNull(),
    name: text().notNull(),
    nameEn: text(),
    kind: methodKind().notNull(),
    applicationId: uuid().references(() => applications.id, { onDelete: 'cascade' }),
  },
  (t) => [unique('methods_application_code').on(t.applicationId, t.code).nullsNotDistinct()],
)

export const roleMethods = pgTable(
  'role_methods',
  {
    roleId: uuid()
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
    methodId: uuid()
      .notNull()
      .references(() => methods.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.roleId, t.methodId] }), index('role_methods_method').on(t.methodId)],
)

/**
 * A company's name in the form for comparisons: in lower case, without the legal form before it and without
 * punctuation.
 */
export const comparedName = (name: SQLWrapper) =>
  sql`regexp_replace(regexp_replace(lower(${name}), '^(ооо|оао|зао|пао|ао|ип|нко|llc|ltd|jsc)[^[:alnum:]]+', ''), '[^[:alnum:]]+', '', 'g')`

const requisites = () => ({
  name: text().notNull(),
  inn: text(),
  kpp: text(),
  ogrn: text(),
  okpo: text(),
  registrationNumber: text(),
  taxNumber: text(),
  externalCode: text(),
})

export const organizations = pgTable('organizations', {
  id: uuid().primaryKey().defaultRandom(),
  code: text().unique('organizations_code'),
  ...requisites(),
  nameEn: text(),
  enabled: boolean().notNull().default(true),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const contractors = pgTable(
  'contractors',
  {
    id: uuid().primaryKey().defaultRandom(),
    ...requisites(),
    enabled: boolean().notNull().default(true),
    /** Values of dynamic fields under their codes. */
    values: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // many companies, such as foreign ones, have no inn
    uniqueIndex('contractors_inn_kpp').on(t.inn, sql`coalesce(${t.kpp}, '')`),
    unique('contractors_external_code').on(t.externalCode),
    index('contractors_name').on(t.name, t.id),
    index('contractors_compared_name').on(comparedName(t.name)),
    index('contractors_compared_name_backwards').on(sql`reverse(${comparedName(t.name)})`),
    index('contractors_name_search').using('gin', sql`search_form(${t.name}) gin_trgm_ops`),
    index('contractors_inn_search').using('gin', sql`search_form(${t.inn}) gin_trgm_ops`),
    index('contractors_kpp_search').using('gin', sql`search_form(${t.kpp}) gin_trgm_ops`),
    index('contractors_external_code_search').using('gin', sql`search_form(${t.externalCode}) gin_trgm_ops`),
    index('contractors_updated_at').on(t.updatedAt, t.id),
    index('contractors_inn').on(t.inn, t.id),
  ],
)

/** The organizations in which a contractor's people may hold roles. */
export const contractorOrganizations = pgTable(
  'contractor_organizations',
  {
    contractorId: uuid()
      .notNull()
      .references(() => contractors.id, { onDelete: 'cascade' }),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.contractorId, t.organizationId] }),
    index('contractor_organizations_organization').on(t.organizationId),
  ],
)

/** Systemic roles have no organization, organizational ones always have. */
export const userRoles = pgTable(
  'user_roles',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    roleId: uuid()
      .notNull()
      .references(() => roles.id, { onDelete: 'restrict' }),
    organizationId: uuid().references(() => organizations.id, { onDelete: 'cascade' }),
  },
  (t) => [
    unique('user_roles_user_role_organization').on(t.userId, t.roleId, t.organizationId).nullsNotDistinct(),
    index('user_roles_role_user').on(t.roleId, t.userId),
    index('user_roles_organization_role').on(t.organizationId, t.roleId),
  ],
)

export const userContractors = pgTable(
  'user_contractors',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    contractorId: uuid()
      .notNull()
      .references(() => contractors.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    /** The number of its rows in `user_contractor_roles`. Only triggers write it (ADR 73). */
    rolesHeld: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.contractorId] }),
    index('user_contractors_contractor').on(t.contractorId),
    index('user_contractors_without_role').on(t.contractorId, t.userId).where(sql`roles_held = 0`),
  ],
)

/** A contractor role: held by a user, for a contractor, in an organization. */
export const userContractorRoles = pgTable(
  'user_contractor_roles',
  {
    userId: uuid().notNull(),
    contractorId: uuid().notNull(),
    organizationId: uuid()
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    roleId: uuid()
      .notNull()
      .references(() => roles.id, { onDelete: 'restrict' }),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.contractorId, t.organizationId, t.roleId] }),
    index('user_contractor_roles_organization_role').on(t.organizationId, t.roleId),
    index('user_contractor_roles_contractor_role').on(t.contractorId, t.roleId),
    index('user_contractor_roles_role_user').on(t.roleId, t.userId),
    foreignKey({
      name: 'user_contractor_roles_user_contractor',
      columns: [t.userId, t.contractorId],
      foreignColumns: [userContractors.userId, userContractors.contractorId],
    }).onDelete('cascade'),
  ],
)

/** An identity provider: Keycloak, or another instance of this platform. */
export const providers = pgTable('providers', {
  id: uuid().primaryKey().defaultRandom(),
  type: providerType().notNull(),
  enabled: boolean().notNull().default(false),
  name: text().notNull().unique('providers_name'),
  url: text().notNull(),
  realm: text(),
  clientId: text().notNull(),
  /** Encrypted by lib/base/crypto. */
  clientSecret: text().notNull(),
  /** The scopes that a sign-in requests besides `openid`. */
  scopes: text().array().notNull().default([]),
  /** Mail domains whose people this directory keeps. */
  emailDomains: text().array().notNull().default([]),
  /**
   * The person or application that entered its address and had fewer rights than administrators; null once an
   * administrator vouches for it.
   */
  enteredBy: uuid(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** The domains whose sign-in pages offer the identity provider. */
export const providerDomains = pgTable(
  'provider_domains',
  {
    providerId: uuid()
      .notNull()
      .references(() => providers.id, { onDelete: 'cascade' }),
    domainId: uuid()
      .notNull()
      .references(() => domains.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.providerId, t.domainId] }), index('provider_domains_domain').on(t.domainId)],
)

export const userAgreements = pgTable(
  'user_agreements',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    documentId: uuid()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    version: integer().notNull(),
    agreedAt: moment().notNull().defaultNow(),
    ip: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.documentId, t.version] }),
    index('user_agreements_document_version').on(t.documentId, t.version),
    index('user_agreements_document_date').on(t.documentId, t.agreedAt),
  ],
)

/** Agreements that a person withdrew from or refused; agreeing again deletes the row. */
export const userAgreementRefusals = pgTable(
  'user_agreement_refusals',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    documentId: uuid()
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    refusedAt: moment().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.documentId] }),
    index('user_agreement_refusals_document').on(t.documentId),
  ],
)

/** What a person chose for themselves: language, folded menu, page size, cookie consent, columns of lists, time zone. */
export const userSettings = pgTable('user_settings', {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  lang: text(),
  navMini: boolean(),
  pagination: integer(),
  cookie: boolean(),
  /** The time zone of their browser, by its IANA name: mails show times in it. */
  timeZone: text(),
  /** The time zone that they have chosen, which takes precedence over that of any browser. */
  chosenTimeZone: text(),
  /** By the name of a screen and of a column: whether it is shown. */
  columns: jsonb().$type<ListColumns>(),
  /** When a passkey was offered to them after a sign-in: it is offered once. */
  passkeyOfferedAt: moment(),
})

export const authenticationSchemaRoles = pgTable(
  'authentication_schema_roles',
  {
    schemaId: uuid()
      .notNull()
      .references(() => authenticationSchemas.id, { onDelete: 'cascade' }),
    roleId: uuid()
      .notNull()
      .references(() => roles.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.schemaId, t.roleId] }), index('authentication_schema_roles_role').on(t.roleId)],
)
