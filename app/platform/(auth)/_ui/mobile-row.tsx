import { useTranslations } from 'next-intl'
import { PlainError } from '@/components/plain/plain-field'
import { Check } from '@/components/ui/icons'
import { TextLink } from '@/components/ui/text-link'

/** The id of a mobile, and of the field that asks for it. */
export const mobileId = 'person-mobile'

type Props = {
  label: string
  /** As people write it; null for none. */
  mobile: string | null
  verified: boolean
  error: string | undefined
  /** The address of the step that asks for another one. */
  change: string
}

/** A mobile of a person, which a step of its own changes. */
export function MobileRow({ label, mobile, verified, error, change }: Props) {
  const t = useTranslations('person')
  return (
    <div className="grid gap-1.5">
      <p className="font-medium text-table">{label}</p>
      <div
        id={mobileId}
        tabIndex={-1}
        data-quiet-focus
        aria-describedby={error && `${mobileId}-error`}
        className="flex min-h-12 flex-wrap items-center gap-x-4 rounded-control border border-line bg-sunken px-3.5 py-1.5"
      >
        <span className={mobile ? 'tabular-nums' : 'text-ink-second'}>{mobile ?? t('noMobile')}</span>
        {verified ? (
          <span className="flex items-center gap-1.5 text-note text-ok">
            <Check className="size-4" />
            {t('verified')}
          </span>
        ) : null}
        <TextLink href={change} className="ml-auto inline-flex items-center text-table pointer-coarse:min-h-11">
          {mobile ? t('change') : t('giveMobile')}
        </TextLink>
      </div>
      <PlainError id={mobileId} error={error} />
    </div>
  )
}
