import { getTranslations } from 'next-intl/server'
import { TextLink } from '@/components/ui/text-link'
import { pageContext } from '@/lib/context/page'
import { projectInfo } from '@/lib/platform/project-info/service'

/**
 * Below a form that takes personal data: the document that says how it is used
 * (docs/rules/agreements.md#personal-data). Where the domain wants it agreed to, the form has its tick, and nothing
 * stands here.
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
            {personal.linkTitle || personal.title}
            <span className="sr-only"> {t('newTab')}</span>
          </TextLink>
        ),
      })}
    </p>
  )
}
