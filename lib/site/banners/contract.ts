import { z } from 'zod'
import { contract, Done, Id, LatinCode, line, lines, requiredLine } from '@/lib/base/contracts/contract'
import { areaCalls, readVersion } from '@/lib/base/lists/area-calls'
import { ListMeta, listQuery, many, yesNoFilter } from '@/lib/base/lists/lists'
import { pageLink } from '@/lib/base/text/page-link'

const BannerInput = z.strictObject({
  title: requiredLine(100),
  /** By default the code is made from the title. */
  code: LatinCode.optional(),
  text: lines(500).default(''),
  /** An https address or a path of the platform; empty for none. */
  link: line(1000)
    .default('')
    .refine((link) => link === '' || pageLink(link) !== null, 'errorUrl'),
})

const Banner = z.strictObject({
  id: Id,
  visible: z.boolean(),
  title: z.string(),
  code: z.string(),
  text: z.string(),
  link: z.string(),
  /** How many domains show it in at least one language. */
  domainsCount: z.number().int(),
  date: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Banner = z.output<typeof Banner>

export const BannerQuery = listQuery({
  filters: { search: line(100).optional(), visible: yesNoFilter().optional(), used: yesNoFilter().optional() },
  sorts: ['title', 'code', 'date', 'updatedAt'],
  defaultSort: { by: 'date', order: 'desc' },
})

const calls = areaCalls('libraries', '/setting/banners', { one: 'Banner', many: 'Banners', snackbar: 'banners' })

export const listBanners = calls.list({
  summary: 'Banners that domains show beside their sign-in, the newest first',
  query: BannerQuery,
  response: z.strictObject({ banners: z.array(Banner), meta: ListMeta }),
})

export const createBanner = calls.create({
  summary: 'Creates a banner, by default a visible one; by default its code is made from the title',
  body: BannerInput.extend({ visible: z.boolean('errorFormat').default(true) }),
  response: z.strictObject({ id: Id, code: z.string() }),
  errors: { errorUnique: 400 },
})

export const updateBanner = calls.update({
  summary: 'Replaces a banner; with `updatedAt` as read only if nobody saved it meanwhile',
  body: BannerInput.extend({ code: LatinCode, ...readVersion }),
  errors: { errorUnique: 400 },
})

export const deleteBanner = calls.remove({
  summary: 'Deletes a banner that no domain shows',
  errors: { bannerUsed: 409 },
})

export const showBanner = contract({
  tag: 'libraries',
  access: { area: 'libraries' },
  name: 'showBanner',
  snackbar: 'bannersVisible',
  method: 'PUT',
  path: '/setting/banners/{id}/visible',
  summary: 'Shows a banner on the domains that have it, or hides it',
  params: z.strictObject({ id: Id }),
  body: z.strictObject({ visible: z.boolean('errorFormat'), ...readVersion }),
  response: Done,
  errors: { notFound: 404, conflict: 409 },
})

export const searchBanners = contract({
  tag: 'libraries',
  access: { areas: ['libraries', 'domains'] },
  name: 'searchBanners',
  method: 'GET',
  path: '/setting/banners/search',
  summary: 'Up to 50 banners for a choice: by part of the title or the code, or these ids',
  query: z.strictObject({ searchValue: line(100).optional(), ids: many(Id, 100).optional() }),
  response: z.strictObject({
    banners: z.array(Banner.pick({ id: true, title: true, code: true, text: true, link: true, visible: true })),
  }),
})
