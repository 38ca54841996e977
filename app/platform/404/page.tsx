import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { pageTitle } from '@/lib/context/title'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.NotFound'))
}

/** Where dead ids and links lead: `not-found.tsx` beside it says what to do, with its status. */
export default function NotFoundPage() {
  notFound()
}
