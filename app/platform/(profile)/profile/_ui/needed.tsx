import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { localName } from '@/lib/base/i18n/local-name'
import type { Definition } from '@/lib/fields/values/definition'
import { fieldHref } from '../../_ui/field-href'

/** The required fields that are still empty, each a link to its place. */
export async function Needed({ fields, locale }: { fields: readonly Definition[]; locale: string }) {
  const t = await getTranslations('profile.needed')
  return (
    <CardGroup title={t('title')} note={t('note')}>
      <ul className="divide-y divide-line overflow-clip rounded-card border border-line bg-surface">
        {fields.map((field) => (
          <li key={field.code}>
            <Link
              href={fieldHref(field)}
              prefetch={false}
              className="flex min-h-12 items-center justify-between gap-4 px-4 py-2 outline-offset-[-2px]! hover:bg-sunken/60"
            >
              <span className="wrap-anywhere min-w-0 font-medium">{localName(field, locale)}</span>
              <span className="flex shrink-0 items-center gap-1.5 text-brand text-table">
                {t('fill')}
                <ArrowRight aria-hidden="true" className="size-4" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </CardGroup>
  )
}
