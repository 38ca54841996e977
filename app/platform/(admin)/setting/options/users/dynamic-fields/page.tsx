import Link from 'next/link'
import { redirect } from 'next/navigation'
import { getTranslations } from 'next-intl/server'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { localName } from '@/lib/base/i18n/local-name'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { DynamicFieldQuery } from '@/lib/fields/dynamic-fields/contract'
import { listDynamicFields } from '@/lib/fields/dynamic-fields/service'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { tabPath, typePath } from './_ui/paths'

export const generateMetadata = () => screenTitle('PlatformFields')

/** How many fields of a search are shown; with more results, a more exact search is needed. */
const mostFields = 100

/**
 * Redirects to the fields of people. For the search over the platform it redirects to the field that was found, lists
 * several, and opens the form of a new one.
 */
export default async function FieldsPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { ctx, query } = await listPageContext('PlatformFields', DynamicFieldQuery, searchParams)
  if ((await searchParams).create !== undefined) redirect(`${tabPath('users', 'users_main')}?create=1`)
  const { search } = query.filter
  if (!search) redirect(typePath('users'))
  const { fields, meta } = await listDynamicFields(ctx, { query: { ...query, page: 1, perPage: mostFields } })
  const called = fields.filter(({ title, titleEn }) => search === title || search === titleEn)
  const [onlyField, ...otherFields] = called.length > 0 ? called : fields
  if (onlyField && otherFields.length === 0) redirect(`${tabPath(onlyField.type, onlyField.tab)}#field-${onlyField.id}`)
  const [t, tScreen] = await Promise.all([getTranslations('dynamic-fields'), getTranslations('shell.screens')])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader title={tScreen('PlatformFields')} text={t('found', { count: meta.total, search })} />
      {fields.length === 0 ? (
        <EmptyState
          title={t('foundNone')}
          text={t('foundNoneText')}
          action={
            <Link href={typePath('users')} prefetch={false} className="text-brand underline underline-offset-4">
              {t('allFields')}
            </Link>
          }
        />
      ) : (
        <ul
          aria-label={tScreen('PlatformFields')}
          className="max-w-[52rem] divide-y divide-line rounded-card border border-line bg-surface"
        >
          {fields.map((field) => (
            <li key={field.id} className="grid gap-0.5 px-4 py-3">
              <Link
                href={`${tabPath(field.type, field.tab)}#field-${field.id}`}
                prefetch={false}
                className="justify-self-start break-words rounded-[2px] font-medium underline-offset-4 hover:underline"
              >
                {localName(field, ctx.locale)}
              </Link>
              <span className="break-words text-ink-second text-note">
                {[
                  t(`types.${field.type}`),
                  t(`fieldTypes.${field.fieldType}`),
                  ...(field.active ? [] : [t('off')]),
                ].join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
