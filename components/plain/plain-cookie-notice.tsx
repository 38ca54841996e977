import { getTranslations } from 'next-intl/server'
import { pageContext } from '@/lib/request/page'
import { buttonClasses } from '../ui/button-classes'
import { BackForm } from './public-form'

/**
 * The notice about cookies, until the person agrees. It is at the end of the page, and sticks to the bottom of large
 * windows within the element around it, so that the page can scroll until nothing is covered.
 */
export async function PlainCookieNotice() {
  const [t, { ctx }] = await Promise.all([getTranslations('common.cookie'), pageContext()])
  return (
    <section
      aria-label={t('label')}
      data-cookie-notice
      className="pointer-events-none bottom-0 z-30 sm:px-6 sm:pt-4 sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-12 md:pb-8 tall:sticky print:hidden"
    >
      {/* on a phone it is a strip at the edge: a card would cover the card of a banner */}
      <BackForm
        action="/platform/choices"
        form="consent"
        data-consent={ctx.user ? 'account' : 'browser'}
        className="pointer-events-auto mx-auto flex items-center gap-3 border-line border-t bg-surface px-4 py-3 text-note shadow-float max-sm:flex-wrap max-sm:pb-[max(0.75rem,env(safe-area-inset-bottom))] xs:px-6 sm:max-w-2xl sm:flex-col sm:items-stretch sm:rounded-card sm:border sm:p-4 sm:text-table md:flex-row md:items-center md:gap-6"
      >
        <p className="min-w-0 grow max-sm:basis-40">{t('text')}</p>
        <button type="submit" className={`${buttonClasses({ variant: 'secondary' })} shrink-0`}>
          {t('accept')}
        </button>
      </BackForm>
    </section>
  )
}
