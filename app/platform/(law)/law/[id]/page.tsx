import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { getFormatter, getTranslations } from 'next-intl/server'
import { cache } from 'react'
import { Alert } from '@/components/ui/alert'
import { documentPage } from '@/lib/documents/documents/service'
import { pageContext } from '@/lib/request/page'
import { listedPage, pageTitle } from '@/lib/request/title'

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ version?: string | string[] }> }

const loaded = cache(async (id: string, version: string | string[] | undefined) => {
  const { ctx } = await pageContext()
  const wished = typeof version === 'string' && /^[1-9]\d{0,6}$/.test(version) ? Number(version) : undefined
  return documentPage(ctx, id, wished).catch(() => null)
})

const decoded = (id: string) => {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/**
 * The document in the current language. A document that can't be loaded redirects to the root
 * (docs/rules/agreements.md#documents).
 */
const documentOf = async ({ params, searchParams }: Props) =>
  loaded(decoded((await params).id), (await searchParams).version)

export async function generateMetadata(props: Props): Promise<Metadata> {
  const text = await documentOf(props)
  if (!text) return {}
  // search engines must not list earlier versions beside the current one
  return (await props.searchParams).version ? pageTitle(text.name) : listedPage(text.name, 'document')
}

export default async function LawPage(props: Props) {
  const text = await documentOf(props)
  if (!text) redirect('/')
  const { ctx } = await pageContext()
  const [t, format] = await Promise.all([getTranslations('law'), getFormatter()])
  const { code, version, current, otherVersions } = text
  const language = new Intl.DisplayNames([ctx.locale], { type: 'language' }).of(text.locale) ?? text.locale
  return (
    <>
      <article>
        <h1 lang={text.locale} className="text-title">
          {text.name}
        </h1>
        <p className="mt-2 mb-6 text-note text-ink-second">
          {t('version', { version: String(version) })}
          {version === current ? (
            <> · {t('updated', { date: format.dateTime(text.updatedAt, { dateStyle: 'long' }) })}</>
          ) : null}
        </p>
        {version < current ? (
          <Alert tone="warning" className="mb-6">
            <p>{t('older')}</p>
            <p>
              <a href={`/platform/law/${code}`} className="text-brand underline underline-offset-4">
                {t('toCurrent')}
              </a>
            </p>
          </Alert>
        ) : null}
        {text.locale !== ctx.locale ? (
          <Alert tone="info" className="mb-6">
            <p>{t('onlyIn', { language })}</p>
          </Alert>
        ) : null}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawMarkup has sanitized it */}
        <div lang={text.locale} className="rich-text" dangerouslySetInnerHTML={{ __html: text.html }} />
      </article>
      {otherVersions.length > 0 ? (
        <nav aria-labelledby="other-versions" className="mt-10 border-line border-t pt-6">
          <h2 id="other-versions" className="mb-2 text-section">
            {t('others')}
          </h2>
          <ul className="flex flex-wrap gap-x-6 gap-y-2">
            {otherVersions.map((otherVersion) => (
              <li key={otherVersion}>
                <a
                  href={
                    otherVersion === current ? `/platform/law/${code}` : `/platform/law/${code}?version=${otherVersion}`
                  }
                  className="text-brand underline underline-offset-4 pointer-coarse:inline-block pointer-coarse:py-2.5"
                >
                  {t(otherVersion === current ? 'currentVersion' : 'otherVersion', { version: String(otherVersion) })}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
    </>
  )
}
