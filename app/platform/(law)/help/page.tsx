import { ExternalLink, Search } from 'lucide-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { inputClasses } from '@/components/form/input-classes'
import { buttonClasses } from '@/components/ui/button-classes'
import { Card } from '@/components/ui/card'
import { cn } from '@/components/ui/cn'
import { TextLink } from '@/components/ui/text-link'
import type { HelpHit } from '@/lib/documents/help/search'
import { type HelpPage, helpPage } from '@/lib/documents/help/service'
import { pageContext } from '@/lib/request/page'
import { listedPage } from '@/lib/request/title'
import { projectInfo } from '@/lib/site/project-info/service'

type Props = { searchParams: Promise<{ search?: string | string[] }> }

const linkLook = 'rounded-[2px] text-brand underline decoration-1 underline-offset-4 hover:decoration-2'
const address = '/platform/help'
const documentLink = (code: string, part = 0) =>
  `/platform/law/${encodeURIComponent(code)}${part > 0 ? `#part-${part}` : ''}`

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('law.help')
  return listedPage(t('title'), 'help')
}

/** Help for everybody: a search over the domain's documents and the help of services, and contacts of support. */
export default async function HelpServicePage({ searchParams }: Props) {
  const { ctx } = await pageContext()
  const { search } = await searchParams
  const query = typeof search === 'string' ? search.trim().slice(0, 200) : ''
  const [t, page] = await Promise.all([getTranslations('law.help'), helpPage(ctx, query)])
  return (
    <div className="grid gap-8">
      <header className="grid gap-2">
        <h1 className="text-title">{t('title')}</h1>
        <p className="text-ink-second">{t('lead')}</p>
      </header>
      <search className="print:hidden">
        <form action={address} className="flex gap-3">
          <input
            type="search"
            name="search"
            defaultValue={query}
            aria-label={t('search')}
            placeholder={t('search')}
            maxLength={200}
            enterKeyHint="search"
            className={cn(inputClasses, 'h-12 min-w-0 grow')}
          />
          <button type="submit" className={buttonClasses({ size: 'L' })}>
            <Search aria-hidden="true" className="size-5" />
            <span className="max-xs:sr-only">{t('find')}</span>
          </button>
        </form>
      </search>
      {page.hits ? <Hits hits={page.hits} query={query} /> : <Documents documents={page.documents} />}
      <Contacts services={page.services} />
    </div>
  )
}

async function Hits({ hits, query }: { hits: HelpHit[]; query: string }) {
  const t = await getTranslations('law.help')
  return (
    <section aria-labelledby="help-found" className="grid gap-4">
      <h2 id="help-found" className="text-section">
        {hits.length > 0 ? t('found', { count: hits.length, query }) : t('nothing.title', { query })}
      </h2>
      {hits.length === 0 ? <p className="text-ink-second">{t('nothing.text')}</p> : null}
      <ol className="grid gap-3">
        {hits.map(({ code, name, heading, part, excerpt }) => (
          <li key={`${code} ${part}`}>
            <Card className="grid gap-1">
              <h3 className="font-medium">
                <a href={documentLink(code, part)} className={linkLook}>
                  {heading || name}
                </a>
              </h3>
              {heading ? <p className="text-ink-second text-note">{name}</p> : null}
              <p className="wrap-anywhere">
                {excerpt.map(({ text, found, at }) =>
                  found ? (
                    <mark key={at} className="bg-brand-tint text-ink">
                      {text}
                    </mark>
                  ) : (
                    <span key={at}>{text}</span>
                  ),
                )}
              </p>
            </Card>
          </li>
        ))}
      </ol>
      <p>
        <a href={address} className={linkLook}>
          {t('clear')}
        </a>
      </p>
    </section>
  )
}

async function Documents({ documents }: Pick<HelpPage, 'documents'>) {
  const t = await getTranslations('law.help')
  if (documents.length === 0) return <p className="text-ink-second">{t('none')}</p>
  return (
    <section aria-labelledby="help-documents" className="grid gap-4">
      <h2 id="help-documents" className="text-section">
        {t('documents')}
      </h2>
      <div className="grid gap-4 sm:grid-cols-2">
        {documents.map(({ code, name, parts }) => (
          <Card key={code} className="grid content-start gap-3">
            <h3 className="font-medium">
              <a href={documentLink(code)} className={linkLook}>
                {name}
              </a>
            </h3>
            {parts.length > 0 ? (
              <ul className="grid gap-1 text-table">
                {parts.map(({ heading, part }) => (
                  <li key={part}>
                    <a
                      href={documentLink(code, part)}
                      className="text-ink-second underline-offset-4 hover:text-ink hover:underline pointer-coarse:inline-block pointer-coarse:py-1.5"
                    >
                      {heading}
                    </a>
                  </li>
                ))}
              </ul>
            ) : null}
          </Card>
        ))}
      </div>
    </section>
  )
}

/** The contacts of support, the site, and the help of services. */
async function Contacts({ services }: Pick<HelpPage, 'services'>) {
  const { ctx } = await pageContext()
  const [t, project] = await Promise.all([getTranslations('law.help'), projectInfo(ctx.domain)])
  const options = project.options[ctx.locale]
  const contacts = options?.technicalLink ?? project.technicalLinks
  const site = options?.siteUrl ?? project.siteUrl
  const docs = !project.helpUrl.startsWith(address) ? project.helpUrl : null
  return (
    <div className="grid gap-8 border-line border-t pt-8 sm:grid-cols-2">
      {services.length > 0 ? (
        <section aria-labelledby="help-services" className="grid content-start gap-3">
          <h2 id="help-services" className="text-section">
            {t('services')}
          </h2>
          <ul className="grid gap-2">
            {services.map(({ title, url }) => (
              <li key={url}>
                <TextLink href={url} rel="noopener" className="inline-flex items-center gap-1.5">
                  {title}
                  <ExternalLink aria-hidden="true" className="size-4" />
                </TextLink>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <section aria-labelledby="help-contacts" className="grid content-start gap-3">
        <h2 id="help-contacts" className="text-section">
          {t('contacts')}
        </h2>
        <ul className="grid gap-3">
          {contacts.map(({ title, url, text, mobile }) => (
            <li key={`${url} ${text}`} className="grid gap-0.5">
              {title ? <span className="text-ink-second text-note">{title}</span> : null}
              <span className="flex flex-wrap gap-x-4 gap-y-1">
                <TextLink href={url} rel="noopener">
                  {text || url}
                </TextLink>
                {mobile && mobile !== text ? (
                  <TextLink href={`tel:${mobile.replace(/[^\d+]/g, '')}`} className="whitespace-nowrap tabular-nums">
                    {mobile}
                  </TextLink>
                ) : null}
              </span>
            </li>
          ))}
          {docs ? (
            <li>
              <TextLink href={docs} rel="noopener">
                {t('docs')}
              </TextLink>
            </li>
          ) : null}
          {site ? (
            <li className="grid gap-0.5">
              <span className="text-ink-second text-note">{t('site')}</span>
              <span>
                <TextLink href={site.url} rel="noopener">
                  {site.text}
                </TextLink>
              </span>
            </li>
          ) : null}
        </ul>
      </section>
    </div>
  )
}
