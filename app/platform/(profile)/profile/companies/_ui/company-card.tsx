import { ChevronRight } from 'lucide-react'
import { getTranslations } from 'next-intl/server'
import { AccessPlaces } from '@/components/card/access-places'
import { RequisiteFacts } from '@/components/card/requisite-facts'
import { DateTime } from '@/components/ui/date-time'
import { FieldValue } from '@/components/ui/field-value'
import { KeyValue } from '@/components/ui/key-values'
import { Pill } from '@/components/ui/pill'
import type { Company } from '@/lib/companies/own-companies/contract'
import { type FieldView, isFilled } from '@/lib/fields/values/definition'
import { LeaveCompany } from './leave-company'

type Props = { company: Company; fields: readonly FieldView[] }

/** One company: its name, the person's roles by organization, and its requisites, folded. */
export async function CompanyCard({ company, fields }: Props) {
  const [t, tr] = await Promise.all([getTranslations('companies'), getTranslations('requisites')])
  const { id, name, inn, kpp, enabled, date, access, additionalInfo } = company
  const roles = access.reduce((count, place) => count + place.roles.length, 0)
  return (
    <article aria-label={name} className="rounded-card border border-line bg-surface">
      <div className="flex items-start gap-x-4 p-4 @min-[40rem]:px-5">
        <div className="grid min-w-0 grow gap-1">
          <h2 className="wrap-anywhere flex flex-wrap items-center gap-x-2.5 gap-y-1 text-section">
            {name}
            {enabled ? null : <Pill tone="neutral">{t('disabled')}</Pill>}
          </h2>
          <p className="flex flex-wrap gap-x-3 text-ink-second text-note tabular-nums">
            {inn ? <span>{tr('shortInn', { inn })}</span> : null}
            {kpp ? <span>{tr('shortKpp', { kpp })}</span> : null}
            <span>{t.rich('since', { date: () => <DateTime value={date} form="date" /> })}</span>
          </p>
          {enabled ? null : <p className="text-ink-second text-note">{t('disabledText')}</p>}
        </div>
        <div className="shrink-0">
          <LeaveCompany id={id} company={name} roles={roles} />
        </div>
      </div>
      <div className="grid gap-2 border-line border-t px-4 py-3.5 @min-[40rem]:px-5">
        <h3 className="text-ink-second text-note">{t('access')}</h3>
        <AccessPlaces access={access} disabled={t('organizationDisabled')} none={t('noRoles')} />
      </div>
      <details className="group/facts border-line border-t">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-1.5 px-4 text-brand text-table @min-[40rem]:px-5 [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open/facts:rotate-90" />
          {t('requisites')}
        </summary>
        <div className="px-4 pb-4 @min-[40rem]:px-5">
          <RequisiteFacts requisites={company}>
            {fields.map((field) => (
              <KeyValue key={field.code} label={field.title} tall={field.fieldType === 'picture'}>
                {isFilled(additionalInfo[field.code]) ? (
                  <FieldValue field={field} value={additionalInfo[field.code]} />
                ) : null}
              </KeyValue>
            ))}
          </RequisiteFacts>
        </div>
      </details>
    </article>
  )
}
