import type { CallOutput } from '@/lib/base/contracts/contract'
import type { searchDocuments } from '@/lib/documents/documents/contract'
import type { searchBanners } from '@/lib/site/banners/contract'
import type { searchDomains } from '@/lib/site/domains/contract'

type Banner = CallOutput<typeof searchBanners>['banners'][number]
type Document = CallOutput<typeof searchDocuments>['documents'][number]
type Domain = CallOutput<typeof searchDomains>['domains'][number]

/** The option of a banner: `off` is whether it is hidden, `short` its name in a footer. */
export const bannerOption = ({ id, title, text, link, visible }: Banner) => ({
  value: id,
  label: title,
  note: text,
  link,
  off: !visible,
})
export const documentOption = ({ id, name, linkName, code, enabled }: Document) => ({
  value: id,
  label: name,
  short: linkName,
  note: code,
  off: !enabled,
})
export const domainOption = ({ id, comment, aliases }: Domain) => ({
  value: id,
  label: aliases[0] ?? (comment || id),
  note: aliases[0] ? comment : '',
})
