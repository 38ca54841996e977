import { Asterisk, Eye, Pencil } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'

export const flagIcons = { visible: Eye, edit: Pencil, required: Asterisk }
type Flag = keyof typeof flagIcons

/** The permissions of a field, in fixed places: a sign, or a dot for a missing one; screen readers get words. */
export function Flags({ flags }: { flags: readonly (readonly [flag: Flag, isSet: boolean])[] }) {
  const t = useTranslations('dynamic-fields')
  const words = flags.flatMap(([flag, isSet]) => (isSet ? [t(`flags.${flag}`)] : []))
  return (
    <span className="inline-flex items-center gap-1">
      {flags.map(([flag, isSet]) => {
        const Icon = flagIcons[flag]
        return (
          <span
            key={flag}
            aria-hidden="true"
            className={cn(
              'flex size-6 items-center justify-center rounded-[6px]',
              isSet && (flag === 'required' ? 'bg-brand-tint text-brand' : 'bg-sunken text-ink'),
            )}
          >
            {isSet ? <Icon className="size-3.5" /> : <span className="size-1 rounded-full bg-line-field" />}
          </span>
        )
      })}
      <span className="sr-only">{words.join(', ') || t('flags.none')}</span>
    </span>
  )
}

/** The legend of the signs, and of the dot if there are dots; screen readers get words beside each sign. */
export function FlagLegend({ dots = true }: { dots?: boolean }) {
  const t = useTranslations('dynamic-fields')
  return (
    <p aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-ink-second text-note">
      {(Object.keys(flagIcons) as Flag[]).map((flag) => {
        const Icon = flagIcons[flag]
        return (
          <span key={flag} className="inline-flex items-center gap-1.5">
            <Icon className="size-3.5" />
            {t(`flags.${flag}`)}
          </span>
        )
      })}
      {dots ? (
        <span className="inline-flex items-center gap-1.5">
          <span className="size-1 rounded-full bg-line-field" />
          {t('flags.off')}
        </span>
      ) : null}
    </p>
  )
}
