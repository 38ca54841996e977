import Link from 'next/link'
import { getFormatter, getTranslations } from 'next-intl/server'
import { Fragment, type ReactNode } from 'react'
import { Alert } from '@/components/ui/alert'
import { cn } from '@/components/ui/cn'
import { inSentence } from '@/lib/base/i18n/in-sentence'
import { localName } from '@/lib/base/i18n/local-name'
import { requestPath } from '@/lib/request/request-path'
import type { Shell } from '@/lib/request/shell'
import { fieldHref } from './field-href'

const link = 'font-medium text-warning underline decoration-1 underline-offset-4 hover:decoration-2'

type Props = { shell: Shell; locale: string; temporary: boolean }

/**
 * Why access is limited and what to do: empty required fields by name, no services
 * (docs/rules/profile.md#limited-access).
 */
export async function ProfileAlerts({ shell: { emptyFields, none }, locale, temporary }: Props) {
  const [t, format, request] = await Promise.all([getTranslations('shell'), getFormatter(), requestPath()])
  const alerts: ReactNode[] = []
  if (temporary)
    alerts.push(
      <Alert key="temporary" tone="warning" className="min-h-[58px] items-center">
        <p>{t('temporaryAdministrator')}</p>
      </Alert>,
    )
  const missing = emptyFields.map((field) => (
    <Link key={field.code} href={fieldHref(field)} prefetch={false} className={cn(link, 'inline-block')}>
      {inSentence(localName(field, locale), locale)}
    </Link>
  ))
  const fields = () => <Fragment>{format.list(missing)}</Fragment>
  const ask = request ? (
    <Link href={request} prefetch={false} className={link}>
      {t('requestAccess')}
    </Link>
  ) : null
  // limited access is shown once for both reasons
  if (none && missing.length > 0)
    alerts.push(
      <Alert key="limited" tone="warning" title={t('limited')}>
        <div className="grid gap-1">
          <p>{t.rich('limitedFields', { fields })}</p>
          <p>
            {t('limitedServices')} {ask}
          </p>
        </div>
      </Alert>,
    )
  else if (missing.length > 0)
    alerts.push(
      <Alert key="fields" tone="warning" className="min-h-[58px] items-center">
        <p>{t.rich('fieldsEmpty', { fields })}</p>
      </Alert>,
    )
  else if (none)
    alerts.push(
      <Alert key="services" tone="warning" className="min-h-[94px] items-center @min-[40rem]:min-h-[58px]">
        <p>
          {t('noServices')} {ask}
        </p>
      </Alert>,
    )
  return alerts.length > 0 ? <div className="mb-6 grid gap-3">{alerts}</div> : null
}
