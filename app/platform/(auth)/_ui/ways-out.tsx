import { useTranslations } from 'next-intl'
import { TextLink } from '@/components/ui/text-link'

/**
 * For people whom another attempt doesn't help: links to the sign-in and to support (docs/rules/sign-in.md#failures).
 */
export function WaysOut() {
  const t = useTranslations('common')
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1">
      <TextLink href="/platform/login">{t('toSignIn')}</TextLink>
      <TextLink href="/platform/help">{t('toSupport')}</TextLink>
    </p>
  )
}
