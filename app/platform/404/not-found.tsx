import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { pageTitle } from '@/lib/request/title'
import { publicFrame } from '../_ui/public-frame'
import { UnknownLink } from './_ui/unknown-link'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.NotFound'))
}

/**
 * The purpose of an unknown link, with a next step (docs/rules/links.md#pages-of-dead-links); for other addresses: page
 * not found.
 */
export default async function NotFound() {
  const [t, page, frame] = await Promise.all([
    getTranslations('unknown-link'),
    getTranslations('not-found'),
    publicFrame(),
  ])
  const linkText = (link: 'registration' | 'recovery' | 'firstEntry', href: string) => ({
    title: t(`${link}.title`),
    text: t(`${link}.text`),
    action: t(`${link}.action`),
    href,
  })
  return (
    <UnknownLink
      frame={frame}
      page={{ title: page('title'), text: page('text'), action: page('action'), href: '/' }}
      links={{
        registration: linkText('registration', '/platform/registration'),
        recovery: linkText('recovery', '/platform/forgot-password'),
        firstEntry: linkText('firstEntry', '/platform/login'),
      }}
    />
  )
}
