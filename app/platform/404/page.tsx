import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { buttonClasses } from '@/components/ui/button-classes'
import { pageTitle } from '@/lib/request/title'
import { PublicFailure } from '../_ui/public-frame'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.NotFound'))
}

/** Where a new link of a kind comes from. */
const sources = {
  registration: '/platform/registration',
  recovery: '/platform/forgot-password',
  firstEntry: '/platform/login',
} as const

/**
 * The purpose of an unknown link, with a next step (docs/rules/links.md#pages-of-dead-links); for other addresses: page
 * not found. The server process answers 404 (`giveStatus`).
 */
export default async function NotFoundPage({ searchParams }: PageProps<'/platform/404'>) {
  const [t, page, { link }] = await Promise.all([
    getTranslations('unknown-link'),
    getTranslations('not-found'),
    searchParams,
  ])
  const kind = typeof link === 'string' && Object.hasOwn(sources, link) ? (link as keyof typeof sources) : null
  return (
    <PublicFailure title={kind ? t(`${kind}.title`) : page('title')} text={kind ? t(`${kind}.text`) : page('text')}>
      <a href={kind ? sources[kind] : '/'} className={buttonClasses({ size: 'L' })}>
        {kind ? t(`${kind}.action`) : page('action')}
      </a>
    </PublicFailure>
  )
}
