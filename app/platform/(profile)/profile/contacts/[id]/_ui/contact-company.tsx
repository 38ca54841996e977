import { getTranslations } from 'next-intl/server'
import { AccessPlaces } from '@/components/card/access-places'
import { DateTime } from '@/components/ui/date-time'
import type { ContactContractor } from '@/lib/companies/colleagues/contract'
import { ContactActions } from './contact-parts'

type Props = {
  userId: string
  person: string
  contractor: ContactContractor
  /** It is the only common company. */
  last: boolean
}

/** One common company: the contact's roles by organization, and for the contact's manager the actions. */
export async function ContactCompany({ userId, person, contractor, last }: Props) {
  const [t, tr] = await Promise.all([getTranslations('contacts'), getTranslations('requisites')])
  const { name, inn, kpp, date, access, managed, editable } = contractor
  return (
    <article aria-label={name} className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4 @min-[40rem]:px-5">
        <div className="grid min-w-0 grow basis-60 gap-1">
          <h2 className="wrap-anywhere text-section">{name}</h2>
          <p className="flex flex-wrap gap-x-3 text-ink-second text-note tabular-nums">
            {inn ? <span>{tr('shortInn', { inn })}</span> : null}
            {kpp ? <span>{tr('shortKpp', { kpp })}</span> : null}
            <span>{t.rich('since', { date: () => <DateTime value={date} form="date" /> })}</span>
          </p>
        </div>
        {managed && editable ? (
          <ContactActions userId={userId} person={person} contractor={contractor} last={last} />
        ) : null}
      </div>
      <div className="grid gap-2 border-line border-t px-4 py-3.5 @min-[40rem]:px-5">
        <h3 className="text-ink-second text-note">{t('roles')}</h3>
        <AccessPlaces access={access} disabled={t('organizationDisabled')} none={t('noRolesHere')} />
        {managed && !editable ? <p className="pt-1 text-ink-second text-note">{t('forbidden')}</p> : null}
      </div>
    </article>
  )
}
