import { getTranslations } from 'next-intl/server'
import { TextLink } from '@/components/ui/text-link'
import { typographic } from '@/lib/base/i18n/typography'
import { pageContext } from '@/lib/request/page'
import { projectInfo } from '@/lib/site/project-info/service'

/**
 * Below a form that takes personal data: a link to the document on their use (docs/rules/agreements.md#personal-data).
 * If the domain requires an agreement, the form has a checkbox for it and this renders nothing.
 */
export async function PersonalNotice() {
  const { ctx } = await pageContext()
  const [t, { options }] = await Promise.all([getTranslations('person'), projectInfo(ctx.domain)])
  const personal = options[ctx.locale]?.lawInfo.personalAgree
  if (!personal || personal.loginRequired) return null
  return (
    <p className="mt-6 text-ink-second text-note">
      {t.rich('personal', {
        document: () => (
          <TextLink href={personal.link} target="_blank">
            {typographic(personal.linkTitle || personal.title)}
            <span className="sr-only"> {t('newTab')}</span>
          </TextLink>
        ),
      })}
    </p>
  )
}
