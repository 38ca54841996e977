import { z } from 'zod'
import { contract } from '@/lib/base/contracts/contract'

const Link = z.strictObject({ url: z.string(), text: z.string() })

/** An agreement as pages show it (docs/rules/agreements.md#agreements). */
export const TermsLink = z.strictObject({
  id: z.string(),
  version: z.number().int(),
  title: z.string(),
  linkTitle: z.string(),
  link: z.string(),
  loginRequired: z.boolean(),
  footerVisible: z.boolean(),
  menuVisible: z.boolean(),
})
export type TermsLink = z.output<typeof TermsLink>

const ProjectBanner = z.strictObject({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  link: z.string().nullable(),
})

const TechnicalLink = z.strictObject({
  title: z.string(),
  url: z.string(),
  text: z.string(),
  mobile: z.string().nullable(),
})

export const ProjectLocaleOptions = z.strictObject({
  projectTitle: z.string(),
  projectName: z.string(),
  authBanners: z.array(ProjectBanner),
  lawInfo: z.strictObject({
    legalInfo: z.array(Link),
    termsInfo: z.array(TermsLink),
    personalAgree: TermsLink.nullable(),
  }),
  copyright: z.strictObject({ text: z.string(), title: z.string() }),
  siteUrl: Link.nullable(),
  technicalLink: z.array(TechnicalLink),
  cookie: z.boolean(),
})
export type ProjectLocaleOptions = z.output<typeof ProjectLocaleOptions>

/** The look and the texts of the domain to which the call came (docs/rules/domains.md#project-info). */
export const ProjectInfo = z.strictObject({
  locales: z.array(z.strictObject({ id: z.string(), code: z.string(), name: z.string() })),
  code: z.string(),
  /** The id of its own logo, which pages show in place of the mark; `pictures/{fileId}` gives it. */
  logo: z.string().nullable(),
  styleCode: z.string(),
  metrics: z.string().nullable(),
  copyrightUrl: z.string(),
  devUrl: z.string(),
  helpUrl: z.string(),
  siteUrl: Link.nullable(),
  technicalLinks: z.array(TechnicalLink),
  /** By locale code; only the domain's enabled locales. */
  options: z.record(z.string(), ProjectLocaleOptions),
  uiSettings: z.strictObject({
    editNavMini: z.boolean(),
    headerVisible: z.boolean(),
    navMiniTitle: z.boolean(),
    useUserFio: z.boolean(),
    localNotifies: z.boolean(),
    accessRequests: z.boolean(),
    cookie: z.boolean(),
  }),
})
export type ProjectInfo = z.output<typeof ProjectInfo>

export const getProjectInfo = contract({
  name: 'getProjectInfo',
  method: 'GET',
  path: '/ui/project/info',
  summary: 'The look and the texts of the domain to which the call came',
  tag: 'start-up',
  access: 'public',
  response: ProjectInfo,
})
