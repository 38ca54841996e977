import { z } from 'zod'
import { contract, Id, line, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery, yesNoFilter } from '@/lib/base/lists/lists'
import { hasAddress, isAddress } from '@/lib/base/mail-and-sms/values'
import { contactLink, pageLink } from '@/lib/base/text/page-link'
import { timeZoneFrom } from '@/lib/base/text/time-zone'
import { logoChange, logoRemoval } from '../pictures/contract'
import { HostName } from './alias'
import { imageCodes, styleCodes } from './style-codes'

const PageLink = line(2000).refine((text) => text === '' || pageLink(text) !== null, 'errorPageLink')
const ContactLink = requiredLine(2000).refine((text) => contactLink(text) !== null, 'errorContactLink')

/** The parameters that may follow the address of a mail: other parameters, and commas, would add receivers. */
const subjectOnly = /^(?:\?(?:subject|body)=[^?&#;]*(?:&(?:subject|body)=[^?&#;]*)*)?$/i

/**
 * Whether each address in the text of a link is the address of the link: a mail must not lead to another address than
 * it shows.
 */
function matchesLink(text: string, link: string): boolean {
  const follows = /^(?:mailto|tel):/i.test(link) ? subjectOnly : /^(?:[/?#]|$)/
  const bare = (address: string) => address.toLowerCase().replace(/^\w+:(?:\/\/)?/, '')
  const target = bare(link).replace(/^www\./, '')
  return text
    .split(/[\s,;<>()«»"]+/)
    .filter(hasAddress)
    .every((address) => {
      const shownAddress = bare(address).replace(/^www\.|[./]+$/g, '')
      // the text may show only the beginning of a longer path
      return target.startsWith(shownAddress) && follows.test(target.slice(shownAddress.length))
    })
}

/** Adds an issue for each item that appears twice. */
const distinct = <I>(
  items: readonly I[],
  keyOf: (item: I) => string,
  code: string,
  field: string[],
  check: z.RefinementCtx,
) => {
  const seenKeys = new Set<string>()
  for (const [index, item] of items.entries()) {
    if (seenKeys.has(keyOf(item))) check.addIssue({ code: 'custom', message: code, path: [index, ...field] })
    seenKeys.add(keyOf(item))
  }
}
const Ids = (max: number) =>
  z
    .array(Id)
    .max(max, 'errorTooMany')
    .superRefine((ids, check) => distinct(ids, (id) => id.toLowerCase(), 'errorNamedTwice', [], check))

const LocaleSettings = z.strictObject({
  projectTitle: requiredLine(100),
  /** Every mail contains it, so it must not be an address, which would become a link. */
  projectName: requiredLine(100).refine((name) => !isAddress(name), 'errorTextAddress'),
  copyright: line().default(''),
  siteName: line(100).default(''),
  siteLink: PageLink.default(''),
  /** Ids of banners, in the order in which they are shown. */
  banners: Ids(20).default([]),
  technical: z
    .array(
      z
        .strictObject({
          title: requiredLine(100),
          text: requiredLine(),
          link: ContactLink,
          mobile: line(32).default(''),
        })
        .superRefine(({ link, ...texts }, check) => {
          for (const field of ['title', 'text'] as const)
            if (!matchesLink(texts[field], link))
              check.addIssue({ code: 'custom', message: 'errorContactText', path: [field] })
        }),
    )
    .max(20, 'errorTooMany')
    .default([]),
})

/** The stored form: values that only older rules allowed can be read, but are refused at the next save. */
const StoredSettings = z.strictObject({
  projectTitle: z.string(),
  projectName: z.string(),
  copyright: z.string(),
  siteName: z.string(),
  siteLink: z.string(),
  banners: z.array(Id),
  technical: z.array(z.strictObject({ title: z.string(), text: z.string(), link: z.string(), mobile: z.string() })),
})

const LocaleEntry = z.strictObject({
  localeId: Id,
  /** Entries with the same order keep that of the list. */
  order: z.number().int().min(0).max(1000).default(0),
  enabled: z.boolean().default(true),
  settings: LocaleSettings,
})
export type LocaleEntry = z.output<typeof LocaleEntry>

const Agreement = z.strictObject({
  agreementId: Id,
  menuVisible: z.boolean().default(false),
  footerVisible: z.boolean().default(false),
  loginRequired: z.boolean().default(false),
  profileVisible: z.boolean().default(false),
})

const Limits = z.record(Id, z.array(z.enum(['login', 'email', 'mobile'])).max(3))

const fields = {
  type: z.enum(['draft', 'other']),
  base: z.boolean(),
  enabled: z.boolean(),
  comment: z.string(),
  aliases: z.array(z.string()),
  imageCode: z.string(),
  styleTemplate: z.string(),
  publicDocsUrl: z.string(),
  baseSettings: z.boolean(),
  cookie: z.boolean(),
  timeZone: z.string(),
}

const DomainInput = z.strictObject({
  type: z.enum(['draft', 'other'], { error: 'errorFormat' }).default('other'),
  /** The base domain can't change: another value than the present one is refused. */
  base: z.boolean().optional(),
  enabled: z.boolean().default(true),
  comment: line().default(''),
  aliases: z
    .array(HostName)
    .max(50, 'errorTooMany')
    .superRefine((hosts, check) => distinct(hosts, (host) => host, 'errorDuplicate', [], check))
    .default([]),
  imageCode: z.enum(imageCodes, { error: 'errorFormat' }).default('default'),
  styleTemplate: z.enum(styleCodes, { error: 'errorFormat' }).default('default'),
  publicDocsUrl: PageLink.default(''),
  baseSettings: z.boolean().default(false),
  cookie: z.boolean().default(true),
  /** The time zone of people whose own zone is unknown, by its IANA name. */
  timeZone: line(64)
    .refine((name) => name === '' || timeZoneFrom(name) !== null, 'errorTimeZone')
    .default(''),
  devicesIdAttributes: Limits.default({}),
  documents: Ids(50).default([]),
  agreements: z
    .array(Agreement)
    .max(50, 'errorTooMany')
    .superRefine((all, check) =>
      distinct(all, ({ agreementId }) => agreementId.toLowerCase(), 'errorNamedTwice', ['agreementId'], check),
    )
    .default([]),
  locales: z
    .array(LocaleEntry)
    .max(50, 'errorTooMany')
    .superRefine((all, check) =>
      distinct(all, ({ localeId }) => localeId.toLowerCase(), 'errorNamedTwice', ['localeId'], check),
    )
    .default([]),
  /** For a draft: the domains whose texts its preview uses where it has none; by default the base domain. */
  domains: Ids(20).optional(),
})
export type DomainInput = z.output<typeof DomainInput>

const Domain = z.strictObject({
  id: Id,
  ...fields,
  devicesIdAttributes: z.record(z.string(), z.array(z.enum(['login', 'email', 'mobile']))),
  documents: z.array(Id),
  agreements: z.array(
    z.strictObject({
      agreementId: Id,
      menuVisible: z.boolean(),
      footerVisible: z.boolean(),
      loginRequired: z.boolean(),
      profileVisible: z.boolean(),
    }),
  ),
  locales: z.array(z.strictObject({ localeId: Id, order: z.number(), enabled: z.boolean(), settings: StoredSettings })),
  domains: z.array(Id),
  logoId: Id.nullable(),
  updatedAt: z.iso.datetime(),
})
export type Domain = z.output<typeof Domain>

const DomainRow = z.strictObject({
  id: Id,
  /** Its first host name, else its comment. */
  name: z.string(),
  ...fields,
  /** Codes of the languages that it shows, in order. */
  locales: z.array(z.string()),
  updatedAt: z.iso.datetime(),
})
export type DomainRow = z.output<typeof DomainRow>

export const DomainQuery = listQuery({
  filters: {
    search: line(100).optional(),
    enabled: yesNoFilter().optional(),
    type: z.enum(['draft', 'other']).optional(),
  },
  sorts: ['comment', 'updatedAt'],
  defaultSort: { by: 'comment', order: 'asc' },
})

const calls = areaCalls('domains', '/setting/domains', { one: 'Domain', many: 'Domains', snackbar: 'domains' })
const writes = {
  bodyLimit: 512 * 1024,
  errors: {
    errorUnique: 400,
    errorBaseHost: 400,
    errorEmpty: 400,
    errorMissing: 400,
    errorBaseDomain: 400,
    forbiddenHost: 403,
  },
}

export const listDomains = calls.list({
  summary: 'Domains with their host names and languages',
  query: DomainQuery,
  response: z.strictObject({ domains: z.array(DomainRow), meta: ListMeta }),
})

export const readDomain = calls.read({ summary: 'A domain with its texts, documents and limits', response: Domain })

export const createDomain = calls.create({ summary: 'Creates a domain', body: DomainInput, ...writes })

export const updateDomain = calls.update({
  summary: 'Replaces a domain; with `updatedAt` as read only if nobody saved it meanwhile',
  body: DomainInput.extend({
    ...readVersion,
    /** Languages whose texts are deleted. Those that `locales` doesn't name are switched off and keep their texts. */
    removedLocales: Ids(50).optional(),
  }),
  ...writes,
  errors: { ...writes.errors, errorOwnDomain: 400, errorOwnDevice: 400, domainLockout: 409 },
})

export const enableDomain = calls.enable({
  summary: 'Switches a domain on or off; one that is off serves nobody',
  errors: { domainBase: 409, domainOwn: 409, domainLockout: 409 },
})

export const deleteDomain = calls.remove({
  summary: 'Deletes a domain that no application and no provider is limited to',
  errors: { domainBase: 409, domainOwn: 409, domainUsed: 409, domainLockout: 409 },
})

export const searchDomains = calls.search({
  summary: 'Up to 50 domains for a choice: by part of the comment or a host name, or these ids',
  areas: ['applications', 'libraries', 'providers'],
  response: z.strictObject({
    domains: z.array(DomainRow.pick({ id: true, comment: true, base: true, aliases: true })),
  }),
})

const ofArea = { tag: 'domains', access: { area: 'domains' }, method: 'GET' } as const

export const readBaseSettings = contract({
  ...ofArea,
  name: 'readBaseSettings',
  path: '/setting/domains/base/settings',
  summary: 'The languages and texts of the base domain, which domains with `baseSettings` take over',
  response: Domain.pick({ locales: true }),
})

export const listStyleTemplates = contract({
  ...ofArea,
  name: 'listStyleTemplates',
  path: '/setting/domains/style/templates',
  summary: 'The styles that a domain may have, each with the addresses of its pictures',
  response: z.strictObject({
    templates: z.array(
      z.strictObject({ code: z.string(), images: z.array(z.strictObject({ name: z.string(), url: z.string() })) }),
    ),
  }),
})

const ofLogo = {
  path: '/setting/domains/{id}/logo',
  tag: 'domains',
  access: { area: 'domains' },
  params: z.strictObject({ id: Id }),
} as const

export const patchDomainLogo = contract({
  ...ofLogo,
  ...logoChange,
  name: 'patchDomainLogo',
  method: 'PATCH',
  summary: 'Replaces the logo of a domain; the file is drawn anew',
  snackbar: 'domainLogoUpdate',
})

export const deleteDomainLogo = contract({
  ...ofLogo,
  ...logoRemoval,
  name: 'deleteDomainLogo',
  method: 'DELETE',
  summary: 'Removes the logo of a domain: pages show its mark again',
  snackbar: 'domainLogoDelete',
})
