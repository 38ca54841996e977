import { pages } from './cases'
import { fill } from './filling'
import { type Measured, measure } from './load'

/** How many domains are compared. */
export const domainSizes = [1, 1000] as const
type Size = (typeof domainSizes)[number]

/** The name of a case, for `ONLY`. */
export const domainCase = (domains: Size) => `sign-in page, of ${domains} ${domains === 1 ? 'domain' : 'domains'}`

/** The sign-in page of the last domain, by its Host. */
export async function domainCases(origin: string, size: Size, seconds: number) {
  const { port } = new URL(origin)
  const host = `http://measured-${size}.localhost:${port}`
  const at = host.replace(`measured-${size}.localhost`, '127.0.0.1')
  return {
    [domainCase(size)]: (): Promise<Measured> =>
      measure(8, seconds, pages(at, '/platform/login', new Map(), { host: new URL(host).host })),
  }
}

const filling = (size: Size) => [
  `insert into domains (comment) select 'measured ' || n from generate_series(
    (select count(*) from domains where comment like 'measured %') + 1, ${size}) n`,
  `insert into domain_aliases (host, domain_id)
    select replace(comment, ' ', '-') || '.localhost', id from domains where comment like 'measured %' on conflict do nothing`,
  `insert into domain_locales (domain_id, locale_id, "order", settings)
    select d.id, l.locale_id, l."order", l.settings from domains d, domain_locales l
    where d.comment like 'measured %' and l.domain_id = (select id from domains where base) on conflict do nothing`,
  `insert into domain_agreements (domain_id, document_id, footer_visible)
    select d.id, a.document_id, true from domains d, domain_agreements a
    where d.comment like 'measured %' and a.domain_id = (select id from domains where base) on conflict do nothing`,
]

/** Brings a database to this many domains, each with a host name, two languages and the documents of the base domain. */
export const fillDomains = (ownerUrl: string, size: Size) => fill(ownerUrl, filling(size))
