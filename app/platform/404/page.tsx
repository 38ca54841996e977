import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { pageTitle } from '@/lib/request/title'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.NotFound'))
}

/** The page of unknown ids and dead links. `not-found.tsx` beside it renders it with the status 404. */
export default function NotFoundPage() {
  notFound()
}
